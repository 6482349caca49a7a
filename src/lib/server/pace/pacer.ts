/**
 * The pace of one sender: a token bucket whose rate falls at once when the network answers "too fast", and rises slowly again.
 * Times in milliseconds.
 */
export interface Pacer {
	/** Takes up to `wanted` tokens, one per message. Returns how many it took. */
	take(wanted: number): number
	/** Returns the milliseconds until this many tokens are available. */
	waitMs(tokens: number): number
	/** Lowers the rate after an answer that says "too fast". */
	slowDown(): void
	/** Sets the rate to a share of the limit, as after an outage. */
	restart(share: number): void
	/** Sets the highest rate, in messages a second. */
	setLimit(perSecond: number): void
	/** Returns the current rate, in messages a second. */
	rate(): number
	/** Returns the highest rate, in messages a second. */
	limit(): number
}
/** Share of the limit by which the rate rises each second. */
const RECOVERY_PER_SECOND = 0.05
/** Milliseconds between two cuts of the rate: answers to messages that were in flight together count once. */
const CUT_PAUSE_MS = 1000
/** Size of the bucket in seconds of the rate. A timer that is late by less does not lower the pace. */
const BURST_SECONDS = 0.2
const MIN_BURST = 2

/** Starts at the limit `perSecond`, in messages a second, with a full bucket. `now` returns milliseconds. */
export function createPacer(perSecond: number, now: () => number = () => performance.now()): Pacer {
	let limit = perSecond
	let rate = limit
	let tokens = burst(rate)
	let filledAt = now()
	let cutAt = Number.NEGATIVE_INFINITY

	const fill = () => {
		const at = now()
		const seconds = (at - filledAt) / 1000
		filledAt = at
		rate = Math.min(limit, rate + limit * RECOVERY_PER_SECOND * seconds)
		tokens = Math.min(burst(rate), tokens + rate * seconds)
	}
	const setRate = (next: number) => {
		rate = Math.min(limit, Math.max(1, next))
		tokens = Math.min(tokens, burst(rate))
	}

	return {
		take(wanted) {
			fill()
			const taken = Math.max(0, Math.min(wanted, Math.floor(tokens)))
			tokens -= taken
			return taken
		},
		waitMs(wanted) {
			fill()
			return Math.max(0, ((Math.min(wanted, burst(rate)) - tokens) / rate) * 1000)
		},
		slowDown() {
			fill()
			if (filledAt - cutAt < CUT_PAUSE_MS) return
			cutAt = filledAt
			setRate(rate / 2)
		},
		restart(share) {
			fill()
			setRate(limit * share)
		},
		setLimit(highest) {
			const wasFull = rate === limit
			limit = highest
			rate = wasFull ? limit : Math.min(rate, limit)
		},
		rate() {
			fill()
			return rate
		},
		limit: () => limit,
	}
}

function burst(rate: number): number {
	return Math.max(MIN_BURST, rate * BURST_SECONDS)
}
