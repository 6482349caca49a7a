/**
 * How fast campaigns of one sender may send: a token bucket whose rate falls at once when the network says "too fast" and
 * climbs back slowly. What the network grants beyond it is left to live chats. Times in milliseconds.
 */
export interface Pacer {
	/** Takes up to `wanted` tokens, one per message; returns how many it got. */
	take(wanted: number): number
	/** Milliseconds until this many tokens are available. */
	waitMs(tokens: number): number
	/** The network said it is too fast. */
	slowDown(): void
	/** Begins again at a share of the pace, as after an outage. */
	restart(share: number): void
	/** Sets the rate that the network grants, in messages a second. */
	setLimit(perSecond: number): void
	/** The rate in force now, in messages a second. */
	rate(): number
	/** What campaigns may send at most, in messages a second. */
	limit(): number
}

/** What campaigns may use of the rate that the network grants. */
export const CAMPAIGN_SHARE = 0.95
/** The rate climbs back by this share of the limit each second. */
const RECOVERY_PER_SECOND = 0.05
/** One cut per so long: answers to messages that were in flight together are one sign, not many. */
const CUT_PAUSE_MS = 1000
/** What may be sent at once, in seconds of the rate, so that a late timer costs no pace. */
const BURST_SECONDS = 0.2
const MIN_BURST = 2

export function createPacer(grantedPerSecond: number, now: () => number = () => performance.now()): Pacer {
	let limit = grantedPerSecond * CAMPAIGN_SHARE
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
		setLimit(perSecond) {
			const wasFull = rate === limit
			limit = perSecond * CAMPAIGN_SHARE
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
