const WINDOW_MS = 60_000
const MAX_ENTRIES = 10_000

export interface FailureLimits {
	/** Maximum number of failures per minute. The next attempt waits until the minute is over. */
	maxFailures: number
	/**
	 * Maximum number of simultaneous attempts. None of them has failed yet, so `maxFailures` alone would let any number run.
	 */
	maxInFlight: number
}

/** Limits the failed attempts of each key. Successful attempts do not count. */
export interface FailureLimit {
	/** Begins an attempt and returns 0, or returns the seconds to wait without beginning one. */
	begin(key: string): number
	/** Ends an attempt that `begin` has allowed. */
	end(key: string, hasFailed: boolean): void
}

interface Entry {
	failures: number
	inFlight: number
	windowEndsAt: number
}

/** Returns a limit whose counts are in memory: each process has its own. */
export function createFailureLimit(
	{ maxFailures, maxInFlight }: FailureLimits,
	now: () => number = () => Date.now(),
): FailureLimit {
	const entries = new Map<string, Entry>()
	return {
		begin(key) {
			const at = now()
			const entry = entries.get(key) ?? { failures: 0, inFlight: 0, windowEndsAt: at + WINDOW_MS }
			if (at >= entry.windowEndsAt) Object.assign(entry, { failures: 0, windowEndsAt: at + WINDOW_MS })
			if (entry.failures >= maxFailures) return Math.ceil((entry.windowEndsAt - at) / 1000)
			if (entry.inFlight >= maxInFlight) return 1
			entry.inFlight++
			// Deleting first moves the entry to the end of the map, so that the first entry is the one unused for longest.
			entries.delete(key)
			entries.set(key, entry)
			const [oldest] = entries.keys()
			if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
			return 0
		},
		end(key, hasFailed) {
			const entry = entries.get(key)
			if (!entry) return
			entry.inFlight = Math.max(0, entry.inFlight - 1)
			if (hasFailed) entry.failures++
			else if (entry.failures === 0 && entry.inFlight === 0) entries.delete(key)
		},
	}
}
