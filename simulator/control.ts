import type { LoadStats } from './http/load.ts'
import type { ReceivedMessage, Totals } from './network/counters.ts'
import type { Fault } from './network/faults.ts'
import type { InboundMessage } from './network/inbound.ts'
import type { Latency } from './network/latencies.ts'
import type { WebhookStats } from './network/outbox.ts'
import type { StatusPlan } from './network/status-plan.ts'
import type { AutoReplies, Phone, ThroughputLevel } from './state/accounts.ts'
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
	/** Messages accepted for this number since the beginning. */
	accepted: number
	/** Those among the last few thousand messages that went to it, oldest first. */
	messages: ReceivedMessage[]
}

/**
 * What tests, benchmarks and the demo can set and read in the simulated network, outside the Graph API. Each method is
 * also `POST /_simulator/<method>` with its argument as JSON.
 */
export interface Control {
	/** With ids that exist already it keeps what is there; a new phoneNumberId under a known wabaId adds a number. */
	createAccount(account?: NewAccount): Promise<Credentials>
	/** Subscribes an account without the handshake. `url: null` ends the subscription. */
	subscribe(to: { waba_id: string; url: string | null }): Promise<void>
	/** The address of all accounts of an app that have none of their own. */
	setAppCallback(to: { app_id: string; url: string | null }): Promise<void>
	/** Refuses a token from now on (subcode 463, expired, unless said otherwise); `restore` takes it back. */
	rejectToken(which: { token: string; subcode?: number; restore?: boolean }): Promise<void>
	/** With `enforced`, sends above the level's rate get 130429. A raise to HIGH is notified by webhook. */
	setThroughput(of: { phone_number_id: string; level?: ThroughputLevel; enforced?: boolean }): Promise<void>
	setPhone(of: { phone_number_id: string } & Partial<PhoneSettings>): Promise<void>
	/** Customers answer a share of what is delivered to them. `rate: 0` ends it. */
	setReplies(of: { phone_number_id: string } & Partial<AutoReplies>): Promise<void>

	/** Approved at once; a second one of the same name and language keeps what is there. */
	addTemplate(template: SeedTemplate): Promise<{ id: string }>
	/** Ends a review now. */
	reviewTemplate(of: TemplateRef & { approved: boolean; reason?: string }): Promise<void>
	pauseTemplate(of: TemplateRef): Promise<void>
	disableTemplate(of: TemplateRef): Promise<void>
	unpauseTemplate(of: TemplateRef): Promise<void>
	/** At once, or with `impending` announced for a day later. */
	recategoriseTemplate(of: TemplateRef & { category: TemplateCategory; impending?: boolean }): Promise<void>
	setTemplateQuality(of: TemplateRef & { quality: Quality }): Promise<void>
	setReviewDelay(to: { ms: number }): Promise<void>

	/** For one number, or for all that have no plan of their own. */
	setStatusPlan(plan: Partial<StatusPlan> & { phone_number_id?: string }): Promise<StatusPlan>
	/** How long sends take to be answered, for one number or for all that have no latency of their own. `maxMs: 0` ends it. */
	setLatency(latency: Latency & { phone_number_id?: string }): Promise<void>
	/** How long updates are gathered before they are posted; 25 ms to begin with. */
	setWebhookInterval(to: { ms: number }): Promise<void>
	/** Closes every connection and refuses new ones for so long, the control's own too. */
	refuseConnections(of: { forMs: number }): Promise<void>
	/** With `call: '*'` and neither a recipient nor a number, an outage: every call meets it until `clearFaults`. */
	addFault(fault: Fault): Promise<void>
	clearFaults(): Promise<void>

	counters(): Promise<Totals>
	received(number: string): Promise<Received>
	receivedCounts(): Promise<Record<string, number>>
	/** How many messages were accepted with this biz_opaque_callback_data. */
	acceptedWith(callbackData: string): Promise<number>
	/** Calls and connections that are open now, and the most there were since the last reset. */
	loadStats(options?: { resetMaxima?: boolean }): Promise<LoadStats>

	sendInbound(message: InboundMessage): Promise<{ id: string }>
	/** Any other webhook, for one account. */
	sendWebhook(webhook: { waba_id: string; field: string; value: unknown }): Promise<void>
	holdWebhooks(of?: { waba_id?: string }): Promise<void>
	releaseWebhooks(of?: { waba_id?: string }): Promise<{ released: number }>
	webhookStats(): Promise<WebhookStats>
	/** Resolves when no status, review or webhook is outstanding; rejects when that takes longer than 60 s or `timeoutMs`. */
	waitIdle(options?: { timeoutMs?: number }): Promise<void>
	/** Forgets everything: accounts, templates, files, messages, counts and faults. */
	reset(): Promise<void>
}

export type PhoneSettings = Pick<
	Phone,
	'quality' | 'tier' | 'enforce_pair_limit' | 'window' | 'allowed_recipients' | 'verified_name'
>

/** Every method of the control, by name: what may be called over HTTP. */
const NAMES: Record<keyof Control, true> = {
	createAccount: true,
	subscribe: true,
	setAppCallback: true,
	rejectToken: true,
	setThroughput: true,
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
	counters: true,
	received: true,
	receivedCounts: true,
	acceptedWith: true,
	loadStats: true,
	sendInbound: true,
	sendWebhook: true,
	holdWebhooks: true,
	releaseWebhooks: true,
	webhookStats: true,
	waitIdle: true,
	reset: true,
}

export const METHODS: readonly string[] = Object.keys(NAMES)
