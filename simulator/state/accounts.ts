export type ThroughputLevel = 'STANDARD' | 'HIGH'

export interface AutoReplies {
	/** Share of delivered messages that a simulated customer answers, 0 to 1. */
	rate: number
	minMs: number
	maxMs: number
}

export interface Phone {
	id: string
	waba_id: string
	digits: string
	country: string
	verified_name: string
	throughput: ThroughputLevel
	quality: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
	tier: string
	enforce_throughput: boolean
	enforce_pair_limit: boolean
	/** Whether free text outside the customer service window fails, as it does at Meta, by webhook. */
	window: 'webhook' | 'off'
	/** As with Meta's test numbers, only these recipients are allowed. */
	allowed_recipients: string[] | null
	replies: AutoReplies | null
	profile: Record<string, unknown>
}

export interface Subscription {
	/** Null sends webhooks to the app's callback URL. */
	override_callback_uri: string | null
}

export interface Account {
	id: string
	name: string
	app_id: string
	tokens: string[]
	phones: Phone[]
	subscription: Subscription | null
	billing: Billing
}

/** How the network bills an account. */
export interface Billing {
	currency: string
	country: string
	has_payment_method: boolean
}

export const INDIAN_BILLING: Billing = { currency: 'INR', country: 'IN', has_payment_method: true }

export interface App {
	id: string
	name: string
	secret: string
	callback_url: string | null
}

export interface Token {
	app_id: string
	accounts: Set<string>
	/** The subcode with which the token is rejected, or null while it is valid. */
	rejected_subcode: number | null
}
