/** Remembers which row each number was seen in first, in a fifth of the memory that a Map takes. */
export interface NumberTable {
	/** The row that the number was seen in before; undefined when this is the first, which is then remembered. */
	firstRow(number: number, row: number): number | undefined
}

const FIRST_CAPACITY = 1 << 12
/** Above this share a table is slow. */
const MAX_FILLED = 0.6

/** An open-addressing table of positive numbers up to 2^53; rows are counted from 1. */
export function createNumberTable(): NumberTable {
	let keys = new Float64Array(FIRST_CAPACITY)
	let rows = new Uint32Array(FIRST_CAPACITY)
	let count = 0

	const placeOf = (number: number) => {
		const mask = keys.length - 1
		let place = (Math.imul(number % 0x7f_ff_ff_ff, 0x9e_37_79_b1) >>> 7) & mask
		while (keys[place] !== 0 && keys[place] !== number) place = (place + 1) & mask
		return place
	}
	const grow = () => {
		const [oldKeys, oldRows] = [keys, rows]
		keys = new Float64Array(oldKeys.length * 2)
		rows = new Uint32Array(oldKeys.length * 2)
		for (const [at, key] of oldKeys.entries()) {
			if (key === 0) continue
			const place = placeOf(key)
			keys[place] = key
			rows[place] = oldRows[at] ?? 0
		}
	}

	return {
		firstRow(number, row) {
			const place = placeOf(number)
			if (keys[place] === number) return rows[place]
			keys[place] = number
			rows[place] = row
			if (++count > keys.length * MAX_FILLED) grow()
			return undefined
		},
	}
}
