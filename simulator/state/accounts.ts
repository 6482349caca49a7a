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
	/** How free text outside the 24 hour window is refused: in the answer, later by webhook, or not at all. */
	window: 'answer' | 'webhook' | 'off'
	/** Like Meta's public test numbers: only these may be written to. */
	allowed_recipients: string[] | null
	replies: AutoReplies | null
	profile: Record<string, unknown>
}

export interface Subscription {
	/** Without one, webhooks go to the app's own address. */
	override_callback_uri: string | null
}

export interface Account {
	id: string
	name: string
	app_id: string
	tokens: string[]
	phones: Phone[]
	subscription: Subscription | null
}

export interface App {
	id: string
	name: string
	secret: string
	callback_url: string | null
}

export interface Token {
	app_id: string
	accounts: Set<string>
	/** Set when the token is to be refused, with the subcode that says why. */
	rejected_subcode: number | null
}
