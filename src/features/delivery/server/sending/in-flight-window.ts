/**
 * How many messages may be in flight at once, by Little's law: what is sent in the time an answer takes, with room for the
 * spread of those times. So a slow network is used at full pace, and one that falls silent holds few messages.
 */
export interface InFlightWindow {
	/** How long an answer took. */
	measured(latencyMs: number): void
	/** For a pace in messages a second. */
	size(perSecond: number): number
}

/** Until the first answers came. */
const INITIAL_MS = 1000
/** The share of a new measurement in the mean. */
const WEIGHT = 1 / 16
const SPREADS = 4
const MIN_SIZE = 16
/** A faster pace opens wider from the start, as it takes more messages to learn a change of the latency. */
const MIN_SECONDS = 0.1
/** The fastest that the network grants; also what bounds the connections. */
const MAX_PER_SECOND = 1000
/**
 * Slower answers come from an overloaded machine or network, which more messages in flight would make worse: without this
 * limit, ten thousand were unanswered at a thousand a second.
 */
const MAX_LATENCY_MS = 5000

export function createInFlightWindow(): InFlightWindow {
	let mean = INITIAL_MS
	let spread = 0
	let hasMeasured = false
	return {
		measured(latencyMs) {
			const taken = Math.min(latencyMs, MAX_LATENCY_MS)
			if (!hasMeasured) mean = taken
			hasMeasured = true
			spread += (Math.abs(taken - mean) - spread) * WEIGHT
			mean += (taken - mean) * WEIGHT
		},
		size(perSecond) {
			const pace = Math.min(perSecond, MAX_PER_SECOND)
			const needed = (pace * Math.min(mean + SPREADS * spread, MAX_LATENCY_MS)) / 1000
			return Math.ceil(Math.max(MIN_SIZE, pace * MIN_SECONDS, needed))
		},
	}
}
