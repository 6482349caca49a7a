/**
 * How many messages may be in flight at once, by Little's law: what is sent in the time an answer takes, with room for the
 * spread of those times, up to a multiple of the fastest of late. So a slow network is used at full pace, and one that falls
 * silent or is overloaded holds few messages.
 */
export interface InFlightWindow {
	/** How long an answer took. */
	measured(latencyMs: number): void
	/** For a pace in messages a second. */
	size(perSecond: number): number
}

/** Until the first answers came: forty senders that start together open few connections. */
const INITIAL_MS = 250
/** The share of a new measurement in the mean. */
const WEIGHT = 1 / 16
const SPREADS = 4
/** Answers until the floor holds: the first one alone may be faster than most. */
const SETTLING = 4
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
/** How many times the floor the latency is believed to be at most. */
const MAX_FLOORS = 4
/** Shorter floors count as this, so that answers that rise to 400 ms at once do not slow a sender down. */
const MIN_FLOOR_MS = 125
/** How much the floor rises in a second while answers are slower: it doubles in 35. */
const FLOOR_RISE = 1.02

/** `now` is in milliseconds. */
export function createInFlightWindow(now: () => number = () => performance.now()): InFlightWindow {
	let mean = INITIAL_MS
	let spread = 0
	/** The lowest mean of late. Slower answers may be the work of what is in flight, and open the window at its pace only. */
	let floor = INITIAL_MS
	let answers = 0
	let measuredAtMs = now()
	return {
		measured(latencyMs) {
			const taken = Math.min(latencyMs, MAX_LATENCY_MS)
			answers++
			if (answers === 1) mean = taken
			spread += (Math.abs(taken - mean) - spread) * WEIGHT
			mean += (taken - mean) * Math.max(1 / answers, WEIGHT)
			const atMs = now()
			const risen = Math.max(floor, MIN_FLOOR_MS) * FLOOR_RISE ** ((atMs - measuredAtMs) / 1000)
			floor = answers <= SETTLING ? mean : Math.min(mean, risen)
			measuredAtMs = atMs
		},
		size(perSecond) {
			const pace = Math.min(perSecond, MAX_PER_SECOND)
			const most = Math.min(MAX_FLOORS * Math.max(floor, MIN_FLOOR_MS), MAX_LATENCY_MS)
			const needed = (pace * Math.min(mean + SPREADS * spread, most)) / 1000
			return Math.ceil(Math.max(MIN_SIZE, pace * MIN_SECONDS, needed))
		},
	}
}
