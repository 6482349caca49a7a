import type { Account, Phone } from '../state/accounts.ts'
import { type Charge, pricingText } from './charges/pricing.ts'
import { statusErrors } from './error-codes.ts'
import type { StatusPlan } from './status-plan.ts'
import type { Timed, TimeWheel } from './time-wheel.ts'
import type { Outbox } from './webhooks/outbox.ts'
import { escapedJson } from './webhooks/signature.ts'

export type Status = 'sent' | 'delivered' | 'read' | 'failed'

/** Statuses of a message, drawn at its acceptance so that a restart continues with the same ones. */
export interface Outcome {
	statuses: readonly Status[]
	/** Code and details of the `failed` status; null without one. */
	failure: { code: number; details: string } | null
}

export interface Tweaks {
	duplicate: boolean
	alone: boolean
	withoutCallback: boolean
	withoutPricing: boolean
	lateMs: number
}

export const NO_TWEAKS: Tweaks = {
	duplicate: false,
	alone: false,
	withoutCallback: false,
	withoutPricing: false,
	lateMs: 0,
}

export interface AcceptedMessage {
	/** Number of the message in the journal. */
	seq: number
	id: string
	to: string
	callback: string | null
	charge: Charge
	acceptedAt: number
	/** Texts of the quick-reply buttons, which the recipient may tap. */
	quickReplies: readonly string[]
	outcome: Outcome
}

export interface LifeContext {
	wheel: TimeWheel
	outbox: Outbox
	account: Account
	phone: Phone
	plan: StatusPlan
	tweaks: Tweaks
	/** Called when a status is queued for the receiver. */
	reached(status: Status, message: AcceptedMessage): void
	/** Called when the receiver has accepted every status. */
	finished(message: AcceptedMessage): void
}

const DUPLICATE_AFTER_MS = 60

/** Sends the status updates of an accepted message one after the other. */
export class MessageLife implements Timed {
	readonly #message: AcceptedMessage
	readonly #context: LifeContext
	#step = 0
	#untaken = 0

	constructor(message: AcceptedMessage, context: LifeContext) {
		this.#message = message
		this.#context = context
	}

	begin(): void {
		if (this.#message.outcome.statuses.length === 0) this.#context.finished(this.#message)
		else this.#context.wheel.after(this.#waitBefore(0) + this.#context.tweaks.lateMs, this)
	}

	fire(): void {
		const status = this.#message.outcome.statuses[this.#step++]
		if (!status) return
		const last = this.#step === this.#message.outcome.statuses.length
		if (!last) this.#context.wheel.after(this.#waitBefore(this.#step), this)
		this.#emit(status)
		if (this.#context.tweaks.duplicate) this.#context.wheel.run(DUPLICATE_AFTER_MS, () => this.#emit(status))
		this.#context.reached(status, this.#message)
	}

	#emit(status: Status): void {
		const { account, phone, tweaks, outbox } = this.#context
		this.#untaken++
		const text = this.#text(status)
		outbox.push({ account, phone, text, timed: false, alone: tweaks.alone, acknowledged: () => this.#taken() })
	}

	#taken(): void {
		this.#untaken--
		if (this.#untaken > 0 || this.#step < this.#message.outcome.statuses.length) return
		this.#context.finished(this.#message)
	}

	// Returns the delay before a step: `sentMs` before the first status and `deliveredMs` before the second, regardless of
	// their kinds.
	#waitBefore(step: number): number {
		const { plan } = this.#context
		const times = [0, plan.sentMs, plan.deliveredMs, plan.readMs]
		const wait = Math.max(0, (times[step + 1] ?? 0) - (times[step] ?? 0))
		return wait * (1 + plan.jitter * (Math.random() * 2 - 1))
	}

	#text(status: Status): string {
		const { id, to, callback, charge, outcome } = this.#message
		const seconds = Math.floor(this.#timeOf(status) / 1_000)
		let text = `{"id":"${id}","status":"${status}","timestamp":"${seconds}","recipient_id":"${to}"`
		if (callback !== null && !this.#context.tweaks.withoutCallback) {
			text += `,"biz_opaque_callback_data":${escapedJson(callback)}`
		}
		if (this.#isPriced(status)) text += pricingText(charge, this.#context.account.billing.shows_billable)
		if (status === 'failed' && outcome.failure) {
			text += `,"errors":${escapedJson(statusErrors(outcome.failure.code, outcome.failure.details))}`
		}
		return `${text}}`
	}

	// Returns true for the statuses that carry the price: `sent`, and the first status that proves delivery.
	#isPriced(status: Status): boolean {
		if (this.#context.tweaks.withoutPricing) return false
		if (status === 'read') return !this.#message.outcome.statuses.includes('delivered')
		return status !== 'failed'
	}

	// Returns the time at which a status happened. A status that is posted late or out of order carries its original time.
	#timeOf(status: Status): number {
		const { plan } = this.#context
		const after = status === 'sent' ? plan.sentMs : status === 'read' ? plan.readMs : plan.deliveredMs
		return Math.min(Date.now(), this.#message.acceptedAt + after)
	}
}
