/**
 * How fast one sender may send: a token bucket whose rate falls at once when the network says "too fast" and climbs back
 * slowly. A share of the rate is kept for live chats, which may take what campaigns may not. Times in milliseconds.
 */
export interface Pacer {
	/** Takes up to `wanted` tokens for campaign messages; returns how many it got. */
	take(wanted: number): number
	/** Gives back tokens that were taken and not used. */
	giveBack(tokens: number): void
	/** Takes one token for a live chat, out of the reserved share if need be. */
	takeForChat(): boolean
	/** Milliseconds until a campaign can take at least one. */
	wait(): number
	/** The network said it is too fast. */
	slowDown(): void
	/** Sets the rate that the network grants, in messages a second. */
	setLimit(perSecond: number): void
	/** The rate in force now. */
	rate(): number
}

/** What live chats can always have, as a share of the rate. */
const CHAT_SHARE = 0.05
/** The rate climbs back by this share of the limit each second. */
const RECOVERY = 0.05
/** One cut per so many milliseconds: answers to messages that were on the wire together are one sign, not many. */
const CUT_PAUSE = 1000

export function createPacer(limitPerSecond: number, now: () => number = () => performance.now()): Pacer {
	let limit = limitPerSecond
	let rate = limitPerSecond
	let tokens = burst(rate)
	let filledAt = now()
	let cutAt = Number.NEGATIVE_INFINITY

	const fill = () => {
		const at = now()
		const seconds = (at - filledAt) / 1000
		filledAt = at
		rate = Math.min(limit, rate + limit * RECOVERY * seconds)
		tokens = Math.min(burst(rate), tokens + rate * seconds)
	}
	const reserve = () => Math.max(1, burst(rate) * CHAT_SHARE)

	return {
		take(wanted) {
			fill()
			const taken = Math.max(0, Math.min(wanted, Math.floor(tokens - reserve())))
			tokens -= taken
			return taken
		},
		giveBack(unused) {
			tokens = Math.min(burst(rate), tokens + unused)
		},
		takeForChat() {
			fill()
			if (tokens < 1) return false
			tokens -= 1
			return true
		},
		wait() {
			fill()
			return Math.max(0, ((1 + reserve() - tokens) / rate) * 1000)
		},
		slowDown() {
			fill()
			if (filledAt - cutAt < CUT_PAUSE) return
			cutAt = filledAt
			rate = Math.max(1, rate / 2)
			tokens = Math.min(tokens, burst(rate))
		},
		setLimit(perSecond) {
			limit = perSecond
			rate = Math.min(rate, limit)
		},
		rate() {
			fill()
			return rate
		},
	}
}

/** A tenth of a second's worth may go out at once, so that timers need not be exact. */
function burst(rate: number): number {
	return Math.max(3, rate / 10)
}
