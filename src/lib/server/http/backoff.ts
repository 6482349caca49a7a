import { MINUTE_MS } from '#lib/durations.ts'
const STANDARD_MAX_WAIT_MS = 30_000
const FORGET_AFTER_MS = 15 * MINUTE_MS
const MAX_ENTRIES = 10_000

/** Slows down guessing, with a separate count for each key. */
export interface Backoff {
	/** Counts an attempt and returns 0, or returns the seconds to wait. An attempt during the wait is not counted. */
	attempt(key: string): number
	/** Clears the count after a right password. */
	clear(key: string): void
}

/**
 * Returns a backoff that counts an attempt before its password is checked, so that concurrent attempts gain nothing. After the
 * free attempts the wait doubles from one second up to `maxWaitMs`, by default half a minute, so that guessing cannot lock the
 * user out for good. The counts are in memory: each process has its own.
 */
export function createBackoff(
	freeAttempts: number,
	{ maxWaitMs = STANDARD_MAX_WAIT_MS, now = () => Date.now() }: { maxWaitMs?: number; now?: () => number } = {},
): Backoff {
	const forgetAfterMs = Math.max(FORGET_AFTER_MS, 2 * maxWaitMs)
	const attempts = new Map<string, { count: number; openAt: number; lastAt: number }>()
	return {
		attempt(key) {
			const at = now()
			const known = attempts.get(key)
			const fresh = known && at - known.lastAt < forgetAfterMs ? known : { count: 0, openAt: 0, lastAt: at }
			if (at < fresh.openAt) return Math.ceil((fresh.openAt - at) / 1000)
			const count = fresh.count + 1
			const waitMs = count < freeAttempts ? 0 : Math.min(maxWaitMs, 1000 * 2 ** Math.min(count - freeAttempts, 20))
			// Deleting first moves the entry to the end of the map, so that the first entry is the one unused for longest.
			attempts.delete(key)
			attempts.set(key, { count, openAt: at + waitMs, lastAt: at })
			const [oldest] = attempts.keys()
			if (attempts.size > MAX_ENTRIES && oldest !== undefined) attempts.delete(oldest)
			return 0
		},
		clear: (key) => void attempts.delete(key),
	}
}
