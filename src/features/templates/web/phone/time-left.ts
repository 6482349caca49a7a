import { DAY_MS, HOUR_MS } from '#lib/durations.ts'
const UNITS = [
	{ ms: DAY_MS, word: 'd' },
	{ ms: HOUR_MS, word: 'h' },
	{ ms: 60_000, word: 'min' },
] as const

/** Returns the time that is left of an offer in its two largest units, as `Ends in 2 d 4 h`. `ms` are milliseconds. */
export function timeLeft(ms: number): string {
	if (ms <= 0) return 'Offer ended'
	const first = UNITS.findIndex((unit) => ms >= unit.ms)
	if (first < 0) return 'Ends in less than 1 min'
	let rest = ms
	const parts = UNITS.slice(first, first + 2).flatMap((unit) => {
		const count = Math.floor(rest / unit.ms)
		rest -= count * unit.ms
		return count > 0 ? [`${count} ${unit.word}`] : []
	})
	return `Ends in ${parts.join(' ')}`
}
