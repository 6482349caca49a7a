export interface StatusPlan {
	/** Delay after acceptance. */
	sentMs: number
	deliveredMs: number
	readMs: number
	/** Maximum deviation of each delay, as a share of it (0 to 1). */
	jitter: number
	/** Share of delivered messages that are read. */
	readRate: number
	/** Share of accepted messages that fail. */
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

/** Status plans by number. A number without a plan of its own has the common one. */
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
