const WINDOW_MS = 60_000
const MAX_ENTRIES = 10_000

export interface FailureLimits {
	/** In a minute; the next attempt waits until the minute is over. */
	maxFailures: number
	/** Simultaneous attempts: they have not failed yet, so a limit on failures alone would let any number run at once. */
	maxInFlight: number
}

/** Bounds the failed attempts of each key, and lets any number of successful ones pass. */
export interface FailureLimit {
	/** Begins an attempt and returns 0, or the seconds to wait; then nothing has begun. */
	begin(key: string): number
	/** Ends an attempt that has begun. */
	end(key: string, hasFailed: boolean): void
}

interface Entry {
	failures: number
	inFlight: number
	windowEndsAt: number
}

/** Kept in memory: each process counts for itself. */
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
			// Written anew, the entry moves to the end: the first one is always the one unused for longest.
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
