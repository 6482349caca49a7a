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
	name_status: string
	/** True when the number is used in the WhatsApp Business app as well. */
	is_on_biz_app: boolean
	/** Kinds of data of the WhatsApp Business app that were sent already; absent before the first. */
	app_data_sent?: string[]
	enforce_throughput: boolean
	enforce_pair_limit: boolean
	/** `webhook`: free text outside the customer service window fails by webhook, as at Meta. `off`: the text is delivered. */
	window: 'webhook' | 'off'
	/** The only recipients that the number may send to, as with Meta's test numbers; null allows all. */
	allowed_recipients: string[] | null
	replies: AutoReplies | null
	profile: Record<string, unknown>
}

export interface Subscription {
	/** Callback URL of the account; null for the app's callback URL. */
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
	portfolio_id: string
	/** Entities that limit or block the account's messages. */
	health: Partial<Record<HealthEntity, HealthProblem>>
	business_verification_status: string
	marketing_messages_onboarding_status: string
	marketing?: MarketingSwitches
}

/** Refusals of marketing by the endpoints of an account. Absent for an account that refuses none. */
export interface MarketingSwitches {
	/** True when `messages` takes no marketing: `disable_marketing_messages_on_cloud_api`. */
	ordinary_off: boolean
	/** Errors of an endpoint for a template, or for all templates when it names none. The first fitting one applies. */
	refusals: RouteRefusal[]
}

export interface RouteRefusal {
	endpoint: 'messages' | 'marketing_messages'
	code: number
	name?: string
	language?: string
}

export type HealthEntity = 'PHONE_NUMBER' | 'WABA' | 'BUSINESS' | 'APP'

export interface HealthProblem {
	can_send_message: 'LIMITED' | 'BLOCKED'
	error_code: number
	error_description: string
	possible_solution: string
}

/** A business portfolio, whose accounts share a messaging limit. */
export interface Portfolio {
	id: string
	/** Meta's name of the limit, such as TIER_2K or TIER_UNLIMITED. */
	limit: string
}

export const NO_LIMIT = 'TIER_UNLIMITED'

/** Billing settings of an account. */
export interface Billing {
	currency: string
	country: string
	has_payment_method: boolean
	/** Meta's number of the time zone in which days and months begin: 71 for India, 1 for Los Angeles. */
	timezone_id: string
	/** Number of delivered service messages that are free for each phone number in a calendar month. */
	free_service_messages: number
	/** False leaves `billable` out of `pricing`, as Meta has announced. */
	shows_billable: boolean
}

export const INDIAN_BILLING: Billing = {
	currency: 'INR',
	country: 'IN',
	has_payment_method: true,
	timezone_id: '71',
	free_service_messages: 1_000,
	shows_billable: true,
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
	/** Subcode that calls with the token are refused with; null for a valid token. */
	rejected_subcode: number | null
}

export const PHONE_DEFAULTS: Pick<Phone, 'name_status' | 'is_on_biz_app'> = {
	name_status: 'APPROVED',
	is_on_biz_app: false,
}

/** Returns the business settings of a new account, which has a portfolio of its own. */
export function businessDefaults(
	id: string,
): Pick<Account, 'portfolio_id' | 'health' | 'business_verification_status' | 'marketing_messages_onboarding_status'> {
	return {
		portfolio_id: `2${id.slice(1)}`,
		health: {},
		business_verification_status: 'verified',
		marketing_messages_onboarding_status: 'ELIGIBLE',
	}
}
