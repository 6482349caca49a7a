const LONGEST_WAIT_MS = 30_000
const FORGET_AFTER_MS = 15 * 60_000
const MOST_ENTRIES = 10_000

/** Slows down guessing, by whatever key the tries are counted. */
export interface Backoff {
	/** Counts a try and returns 0, or the seconds to wait before the next one. A try made too early counts for nothing. */
	attempt(key: string): number
	/** Forgets the tries, as the right password was given. */
	clear(key: string): void
}

/**
 * A try is counted before its password is looked at, so that many at once gain nothing. After the free ones the wait
 * doubles from one second up to half a minute and no longer, so that nobody can lock the owner out for good by guessing.
 * Kept in memory: each process counts for itself.
 */
export function createBackoff(freeTries: number, now: () => number = Date.now): Backoff {
	const tries = new Map<string, { count: number; openAt: number; lastAt: number }>()
	return {
		attempt(key) {
			const at = now()
			const known = tries.get(key)
			const fresh = known && at - known.lastAt < FORGET_AFTER_MS ? known : { count: 0, openAt: 0, lastAt: at }
			if (at < fresh.openAt) return Math.ceil((fresh.openAt - at) / 1000)
			const count = fresh.count + 1
			const wait = count < freeTries ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.min(count - freeTries, 10))
			// Written anew, the entry moves to the end: the first one is always the one unused for longest.
			tries.delete(key)
			tries.set(key, { count, openAt: at + wait, lastAt: at })
			const [oldest] = tries.keys()
			if (tries.size > MOST_ENTRIES && oldest !== undefined) tries.delete(oldest)
			return 0
		},
		clear: (key) => void tries.delete(key),
	}
}
