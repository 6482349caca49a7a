import { createHash } from 'node:crypto'

/** Draws the same numbers for the same seed, so that a run can be repeated with the same events. */
export class Random {
	readonly #seed: string
	#drawn = 0

	constructor(seed: string) {
		this.#seed = seed
	}

	/** Returns a number from 0 up to but not including 1. */
	readonly next = (): number => {
		const digest = createHash('sha256')
			.update(`${this.#seed}:${this.#drawn++}`)
			.digest()
		return digest.readUInt32BE(0) / 2 ** 32
	}

	between(least: number, most: number): number {
		return least + this.next() * (most - least)
	}

	pick<T>(list: readonly T[]): T | undefined {
		return list[Math.floor(this.next() * list.length)]
	}

	shuffle<T>(list: readonly T[]): T[] {
		const order = list.map((value) => ({ value, key: this.next() }))
		return order.toSorted((a, b) => a.key - b.key).map(({ value }) => value)
	}
}
