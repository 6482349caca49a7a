export interface StatusPlan {
	/** Counted from acceptance. */
	sentMs: number
	deliveredMs: number
	readMs: number
	/** 0 to 1: the maximum deviation of each wait, as a share of it. */
	jitter: number
	/** Share of delivered messages that are read. */
	readRate: number
	/** Share of messages that fail after they were accepted. */
	failRate: number
}

export const DEMO_PLAN: StatusPlan = {
	sentMs: 300,
	deliveredMs: 1_200,
	readMs: 5_500,
	jitter: 0.45,
	readRate: 0.7,
	failRate: 0.02,
}

/** The plan of each number, which is the common one unless it has its own. */
export class StatusPlans {
	#common: StatusPlan
	readonly #own = new Map<string, StatusPlan>()

	constructor(common: StatusPlan) {
		this.#common = common
	}

	of(phoneNumberId: string): StatusPlan {
		return this.#own.get(phoneNumberId) ?? this.#common
	}

	set(phoneNumberId: string | null, change: Partial<StatusPlan>): StatusPlan {
		const plan = { ...(phoneNumberId === null ? this.#common : this.of(phoneNumberId)), ...change }
		if (phoneNumberId === null) this.#common = plan
		else this.#own.set(phoneNumberId, plan)
		return plan
	}
}
