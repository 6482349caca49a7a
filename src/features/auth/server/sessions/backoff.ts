const STANDARD_MAX_WAIT_MS = 30_000
const FORGET_AFTER_MS = 15 * 60_000
const MAX_ENTRIES = 10_000

/** Slows down guessing, by whatever key the attempts are counted. */
export interface Backoff {
	/** Counts an attempt and returns 0, or the seconds to wait before the next one. One made too early counts for nothing. */
	attempt(key: string): number
	/** Forgets the attempts, as the right password was given. */
	clear(key: string): void
}

/**
 * An attempt is counted before its password is checked, so that many at once gain nothing. After the free ones the wait
 * doubles from one second up to half a minute unless `maxWaitMs` says otherwise, and no longer, so that nobody can lock the owner out for good by guessing.
 * Kept in memory: each process counts for itself.
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
			// Written anew, the entry moves to the end: the first one is always the one unused for longest.
			attempts.delete(key)
			attempts.set(key, { count, openAt: at + waitMs, lastAt: at })
			const [oldest] = attempts.keys()
			if (attempts.size > MAX_ENTRIES && oldest !== undefined) attempts.delete(oldest)
			return 0
		},
		clear: (key) => void attempts.delete(key),
	}
}
