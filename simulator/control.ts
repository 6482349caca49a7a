import type { LoadStats } from './http/load.ts'
import type { ReceivedMessage, Totals } from './network/counters.ts'
import type { Fault } from './network/faults.ts'
import type { InboundMessage } from './network/inbound/inbound.ts'
import type { EchoMessage, PersonChange } from './network/inbound/people.ts'
import type { Latency } from './network/latencies.ts'
import type { StatusPlan } from './network/status-plan.ts'
import type { WebhookStats } from './network/webhooks/outbox.ts'
import type { PaymentControl } from './razorpay/payment-control.ts'
import type {
	Account,
	AutoReplies,
	Billing,
	HealthEntity,
	HealthProblem,
	MarketingSwitches,
	Phone,
	ThroughputLevel,
} from './state/accounts.ts'
import type { Component, Quality, TemplateCategory, TemplateStatus } from './state/templates.ts'

export interface NewAccount {
	name?: string
	phone?: string
	throughput?: ThroughputLevel
	wabaId?: string
	phoneNumberId?: string
	token?: string
	appId?: string
	appSecret?: string
}

export interface Credentials {
	phone_number_id: string
	waba_id: string
	access_token: string
	app_id: string
	app_secret: string
}

export interface SeedTemplate {
	waba_id: string
	name: string
	components: Component[]
	language?: string
	category?: TemplateCategory
	status?: TemplateStatus
	quality?: Quality
	parameter_format?: 'POSITIONAL' | 'NAMED'
}

/** A template by its id, or by account, name and language. */
export interface TemplateRef {
	id?: string
	waba_id?: string
	name?: string
	language?: string
}

export interface Received {
	number: string
	/** Number of messages accepted for this phone number since the start. */
	accepted: number
	/** The phone number's messages among the last few thousand of the network, oldest first. */
	messages: ReceivedMessage[]
}

/**
 * Sets and reads the simulated network outside the Graph API, for tests, benchmarks and the demo. Each method is also `POST
 * /_simulator/<method>` with its argument as JSON.
 */
export interface Control extends PaymentControl {
	/** Returns the existing account for ids that exist; a new phoneNumberId under an existing wabaId adds a number. */
	createAccount(account?: NewAccount): Promise<Credentials>
	setBilling(of: { waba_id: string } & Partial<Billing>): Promise<void>
	/** Moves an account to another currency as Meta does: creates a new account with the same numbers and copied templates. */
	moveAccount(of: { waba_id: string; currency: string }): Promise<{ waba_id: string }>
	/**
	 * Moves an account to a portfolio, and sets the limit of its portfolio by Meta's name, such as TIER_2K. A changed limit is
	 * notified by webhook.
	 */
	setPortfolio(of: { waba_id: string; portfolio_id?: string; limit?: string }): Promise<void>
	/**
	 * Refuses templates to more than this number of people in 24 hours, outside open conversations, with 131048. The accounts of
	 * the portfolio share the number; null ends it.
	 */
	enforceLimit(of: { waba_id: string; people: number | null }): Promise<void>
	/** Advances the clock of the limits of people, for all portfolios. */
	passHours(of: { hours: number }): Promise<void>
	/** Returns the people of the last 24 hours, their highest number and the refused messages of an account's portfolio. */
	limitStats(of: { waba_id: string }): Promise<{ people: number; most: number; refused: number }>
	/** Limits or blocks the messages of an account, or makes them available again. The account (WABA) is to blame by default. */
	setHealth(of: {
		waba_id: string
		entity?: HealthEntity
		can_send_message: HealthProblem['can_send_message'] | 'AVAILABLE'
		possible_solution?: string
	}): Promise<void>
	setBusiness(
		of: { waba_id: string } & Partial<
			Pick<Account, 'business_verification_status' | 'marketing_messages_onboarding_status'>
		>,
	): Promise<void>
	/** Sets what the endpoints of an account refuse. A change replaces the list of refusals, of at most 100. */
	setMarketing(of: { waba_id: string } & Partial<MarketingSwitches>): Promise<void>
	/** Subscribes an account without the handshake. `url: null` ends the subscription. */
	subscribe(to: { waba_id: string; url: string | null }): Promise<void>
	/** Sets the callback URL for the app's accounts without one of their own. */
	setAppCallback(to: { app_id: string; url: string | null }): Promise<void>
	/** Rejects a token, by default with subcode 463 (expired); `restore` accepts it again. */
	rejectToken(which: { token: string; subcode?: number; restore?: boolean }): Promise<void>
	/**
	 * Sets the throughput level of a number. With `enforced`, sends above the level's rate get 130429. An upgrade to
	 * HIGH is notified by webhook.
	 */
	setThroughput(of: { phone_number_id: string; level?: ThroughputLevel; enforced?: boolean }): Promise<void>
	setPhone(of: { phone_number_id: string } & Partial<PhoneSettings>): Promise<void>
	/** Makes customers answer a share (`rate`, 0 to 1) of the messages delivered to them. `rate: 0` switches it off. */
	setReplies(of: { phone_number_id: string } & Partial<AutoReplies>): Promise<void>

	/** Adds an approved template, or returns the existing one of the same name and language. */
	addTemplate(template: SeedTemplate): Promise<{ id: string }>
	/** Approves or rejects a template without the review delay. */
	reviewTemplate(of: TemplateRef & { approved: boolean; reason?: string }): Promise<void>
	pauseTemplate(of: TemplateRef): Promise<void>
	disableTemplate(of: TemplateRef): Promise<void>
	unpauseTemplate(of: TemplateRef): Promise<void>
	/**
	 * Changes a template's category immediately. With `impending` announces the change for a day later, and with `detected` warns
	 * that the category is wrong.
	 */
	recategoriseTemplate(
		of: TemplateRef & { category: TemplateCategory; impending?: boolean; detected?: boolean },
	): Promise<void>
	setTemplateQuality(of: TemplateRef & { quality: Quality }): Promise<void>
	setReviewDelay(to: { ms: number }): Promise<void>

	/** Sets the plan of one number, or the common plan of all numbers without their own. */
	setStatusPlan(plan: Partial<StatusPlan> & { phone_number_id?: string }): Promise<StatusPlan>
	/**
	 * Sets the latency of sends for one number, or the common latency of all numbers without their own. `maxMs: 0` removes it.
	 */
	setLatency(latency: Latency & { phone_number_id?: string }): Promise<void>
	/** Sets the time for which updates are collected before they are posted; 25 ms by default. */
	setWebhookInterval(to: { ms: number }): Promise<void>
	/** Closes all connections, including those of control calls, and refuses new ones for `forMs`. */
	refuseConnections(of: { forMs: number }): Promise<void>
	/**
	 * Adds a fault. A fault with `call: '*'` and neither recipient nor number is an outage: it applies to every call until
	 * `clearFaults`.
	 */
	addFault(fault: Fault): Promise<void>
	clearFaults(): Promise<void>
	/** Returns how often each fault of a call or its connection was applied since `clearFaults`. */
	appliedFaults(): Promise<{ fault: Fault; times: number }[]>

	counters(): Promise<Totals>
	received(number: string): Promise<Received>
	receivedCounts(): Promise<Record<string, number>>
	/** Returns the number of messages accepted with this biz_opaque_callback_data. */
	acceptedWith(callbackData: string): Promise<number>
	/** Returns the numbers of open calls and connections: the current ones and the maxima since the last reset. */
	loadStats(options?: { resetMaxima?: boolean }): Promise<LoadStats>

	sendInbound(message: InboundMessage): Promise<{ id: string }>
	/**
	 * Sends the message of a customer who comes by an ad. The first answer within 24 hours opens a free entry point, in which
	 * every message is free for `forMs`, 7 days by default.
	 */
	openEntryPoint(of: { phone_number_id: string; from: string; forMs?: number }): Promise<{ id: string }>
	/**
	 * Sends a message that the business writes in the phone app, for a number that is also in the app. Returns the message's
	 * id.
	 */
	sendEcho(echo: EchoMessage): Promise<{ id: string }>
	/** Announces a customer's new number, or new user id. The former number or id writes nothing more. */
	changePerson(change: PersonChange): Promise<{ id: string }>
	/** Answers a request for the contact: sends the number of a customer who hides it. */
	shareNumber(of: { phone_number_id: string; user_id: string; number: string; name?: string }): Promise<{ id: string }>
	/** Sends any other webhook to the receiver of an account. */
	sendWebhook(webhook: { waba_id: string; field: string; value: unknown }): Promise<void>
	holdWebhooks(of?: { waba_id?: string }): Promise<void>
	releaseWebhooks(of?: { waba_id?: string }): Promise<{ released: number }>
	webhookStats(): Promise<WebhookStats>
	/** Resolves when no status, review or webhook is outstanding; rejects when that takes longer than 60 s or `timeoutMs`. */
	waitIdle(options?: { timeoutMs?: number }): Promise<void>
	/** Deletes all accounts, templates, files, messages, counts and faults. */
	reset(): Promise<void>
}

export type PhoneSettings = Pick<
	Phone,
	'quality' | 'name_status' | 'is_on_biz_app' | 'enforce_pair_limit' | 'window' | 'allowed_recipients' | 'verified_name'
>

/** Names of all methods; only these can be called over HTTP. */
const NAMES: Record<keyof Control, true> = {
	createAccount: true,
	setBilling: true,
	moveAccount: true,
	setMarketing: true,
	subscribe: true,
	setAppCallback: true,
	rejectToken: true,
	setThroughput: true,
	setPortfolio: true,
	enforceLimit: true,
	passHours: true,
	limitStats: true,
	setHealth: true,
	setBusiness: true,
	setPhone: true,
	setReplies: true,
	addTemplate: true,
	reviewTemplate: true,
	pauseTemplate: true,
	disableTemplate: true,
	unpauseTemplate: true,
	recategoriseTemplate: true,
	setTemplateQuality: true,
	setReviewDelay: true,
	setStatusPlan: true,
	setLatency: true,
	setWebhookInterval: true,
	refuseConnections: true,
	addFault: true,
	clearFaults: true,
	appliedFaults: true,
	counters: true,
	received: true,
	receivedCounts: true,
	acceptedWith: true,
	loadStats: true,
	sendInbound: true,
	openEntryPoint: true,
	sendEcho: true,
	changePerson: true,
	shareNumber: true,
	sendWebhook: true,
	holdWebhooks: true,
	releaseWebhooks: true,
	webhookStats: true,
	waitIdle: true,
	reset: true,
	setMerchant: true,
	payLink: true,
	failPayment: true,
	cancelLink: true,
	expireLink: true,
	refundPayment: true,
	disputePayment: true,
	paymentLinks: true,
	resendPaymentEvents: true,
	paymentWebhookStats: true,
}

export const METHODS: readonly string[] = Object.keys(NAMES)
