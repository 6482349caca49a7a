/**
 * The number of messages that may be in flight, by Little's law: the pace times the latency, with room for its spread, up
 * to a multiple of the fastest recent latency. A slow network is used at full pace, and one that falls silent or is
 * overloaded holds few messages.
 */
export interface InFlightWindow {
	/** Records the latency of an answer. */
	measured(latencyMs: number): void
	/** Returns the number for a pace in messages a second. */
	size(perSecond: number): number
}

/**
 * Latency in milliseconds that is assumed before the first answers, so that forty senders that start together open few
 * connections.
 */
const INITIAL_MS = 250
/** Weight of a new measurement in the mean. */
const WEIGHT = 1 / 16
const SPREADS = 4
/** Number of answers before the floor holds, as the first one alone may be faster than most. */
const SETTLING = 4
const MIN_SIZE = 16
/**
 * Seconds of the pace that may be in flight from the start: at a faster pace, more messages are needed to learn a change
 * of the latency.
 */
const MIN_SECONDS = 0.1
/** Fastest pace that Meta grants, in messages a second, which also bounds the number of connections. */
const MAX_PER_SECOND = 1000
/**
 * Longest latency in milliseconds that opens the window. Slower answers come from an overloaded machine or network, which
 * more messages would slow down further: without this limit, ten thousand were unanswered at a thousand a second.
 */
const MAX_LATENCY_MS = 5000
/** Largest latency that is believed, as a multiple of the floor. */
const MAX_FLOORS = 4
/** Smallest floor in milliseconds, so that a rise of the latency to 400 ms does not slow a sender down. */
const MIN_FLOOR_MS = 125
/** Factor by which the floor rises in a second of slower answers. The floor doubles in 35 seconds. */
const FLOOR_RISE = 1.02

/** Creates a window. `now` returns milliseconds. */
export function createInFlightWindow(now: () => number = () => performance.now()): InFlightWindow {
	let mean = INITIAL_MS
	let spread = 0
	/** The lowest recent mean. Slower answers may be caused by the messages in flight, and open the window only slowly. */
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
