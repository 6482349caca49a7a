const DAY_MS = 24 * 60 * 60 * 1_000

/** The people whom a portfolio has reached within a day. */
interface PortfolioDay {
	/** People in 24 hours. */
	limit: number
	/** The time of the last message to each person, by number. */
	reached: Map<string, number>
	/** Highest number of people within 24 hours, and number of refused messages. */
	most: number
	refused: number
}

/** Enforces the limit of people in 24 hours on the portfolios whose settings ask for it. */
export class PortfolioDays {
	readonly #days = new Map<string, PortfolioDay>()
	#aheadMs = 0

	/** Limits a portfolio to a number of people, or ends its limit with null. */
	enforce(portfolio: string, limit: number | null): void {
		const day = this.#days.get(portfolio)
		if (limit === null) this.#days.delete(portfolio)
		else if (day) day.limit = limit
		else this.#days.set(portfolio, { limit, reached: new Map(), most: 0, refused: 0 })
	}

	/** Returns true if a message outside the conversation with a person is within the limit, and counts it. */
	take(portfolio: string, to: string): boolean {
		const day = this.#days.get(portfolio)
		if (!day) return true
		const now = Date.now() + this.#aheadMs
		if (day.reached.size >= day.limit) forget(day.reached, now)
		if (!day.reached.has(to) && day.reached.size >= day.limit) {
			day.refused++
			return false
		}
		day.reached.set(to, now)
		day.most = Math.max(day.most, day.reached.size)
		return true
	}

	/** Moves the clock of the limits forward by `ms`. */
	pass(ms: number): void {
		this.#aheadMs += ms
	}

	/** Returns the people within the last 24 hours, their highest number, and the number of refused messages. */
	stats(portfolio: string): { people: number; most: number; refused: number } {
		const day = this.#days.get(portfolio)
		if (!day) return { people: 0, most: 0, refused: 0 }
		forget(day.reached, Date.now() + this.#aheadMs)
		return { people: day.reached.size, most: day.most, refused: day.refused }
	}

	clear(): void {
		this.#days.clear()
		this.#aheadMs = 0
	}
}

/** Removes people whose last message is a day old. */
function forget(reached: Map<string, number>, now: number): void {
	for (const [to, at] of reached) if (at <= now - DAY_MS) reached.delete(to)
}
