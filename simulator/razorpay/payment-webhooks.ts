import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Faults } from '../network/faults.ts'
import type { TimeWheel } from '../network/time-wheel.ts'
import { newId, nowInSeconds } from './entities.ts'
import type { PaymentStore } from './payment-store.ts'
import { hexHmac } from './signatures.ts'

/** Razorpay repeats a webhook that gets no 2xx within this time. */
const RECEIVER_TIMEOUT_MS = 5_000
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
const GIVE_UP_MS = 24 * 60 * 60 * 1_000
/** Number of past events that `resend` can repeat. */
const MAX_PAST = 1_000

export interface PaymentWebhookStats {
	/** Webhooks that the receiver answered with a 2xx. */
	taken: number
	/** Attempts that got another answer, or none. */
	failed: number
	/** Webhooks that were lost by a fault, or sent while the merchant had no address for them. */
	lost: number
	outstanding: number
}

interface Webhook {
	id: string
	body: Buffer
	isForged: boolean
}

/** Posts signed events to the merchant, at least once and in any order. Faults of the call `razorpay.webhook` change them. */
export class PaymentWebhooks {
	readonly #store: PaymentStore
	readonly #faults: Faults
	readonly #wheel: TimeWheel
	readonly #agent = new Agent({ headersTimeout: RECEIVER_TIMEOUT_MS, bodyTimeout: RECEIVER_TIMEOUT_MS })
	#stop = new AbortController()
	#stats = { taken: 0, failed: 0, lost: 0 }
	#outstanding = 0
	#past: Webhook[] = []
	/** Webhooks that wait for the next one, which overtakes them. */
	#overtaken: Webhook[] = []

	constructor(store: PaymentStore, faults: Faults, wheel: TimeWheel) {
		this.#store = store
		this.#faults = faults
		this.#wheel = wheel
	}

	get stats(): PaymentWebhookStats {
		return { ...this.#stats, outstanding: this.#outstanding + this.#overtaken.length }
	}

	/**
	 * Sends an event if the merchant has chosen it. `payload` maps the kinds of entities, such as `payment_link`, to their contents.
	 */
	send(event: string, payload: Record<string, unknown>): void {
		if (!this.#store.merchant.webhook_events.includes(event)) return
		const entities = Object.entries(payload).map(([kind, entity]): [string, unknown] => [kind, { entity }])
		const content = {
			entity: 'event',
			account_id: 'acc_Simulator00001',
			event,
			contains: Object.keys(payload),
			payload: Object.fromEntries(entities),
			created_at: nowInSeconds(),
		}
		this.#dispatch({ id: newId('evt'), body: Buffer.from(JSON.stringify(content)), isForged: false })
	}

	/** Sends all past events again, the lost ones included. Returns their number. */
	resend(): number {
		for (const webhook of this.#past) void this.#deliver({ ...webhook, isForged: false })
		return this.#past.length
	}

	clear(): void {
		this.#stop.abort()
		this.#stop = new AbortController()
		this.#stats = { taken: 0, failed: 0, lost: 0 }
		this.#past = []
		this.#overtaken = []
	}

	async close(): Promise<void> {
		this.#stop.abort()
		await this.#agent.destroy()
	}

	#dispatch(given: Webhook): void {
		const faults = this.#faults.take({ name: 'razorpay.webhook', phoneNumberId: null, to: null })
		const has = (kind: string) => faults.some((fault) => fault.kind === kind)
		const webhook = { ...given, isForged: has('webhook-wrongly-signed') }
		this.#past = [...this.#past.slice(1 - MAX_PAST), webhook]
		if (has('silent')) {
			this.#stats.lost++
			return
		}
		if (has('webhook-reorder')) {
			this.#overtaken.push(webhook)
			return
		}
		const lateMs = faults.reduce((ms, fault) => (fault.kind === 'webhook-late' ? ms + fault.ms : ms), 0)
		const copies = [webhook, ...(has('webhook-duplicate') ? [webhook] : []), ...this.#overtaken]
		this.#overtaken = []
		for (const each of copies) {
			if (lateMs > 0) this.#wheel.run(lateMs, () => void this.#deliver(each))
			else void this.#deliver(each)
		}
	}

	async #deliver(webhook: Webhook): Promise<void> {
		const { signal } = this.#stop
		const until = performance.now() + GIVE_UP_MS
		this.#outstanding++
		let delay = FIRST_RETRY_MS
		while (!signal.aborted && performance.now() < until && !(await this.#post(webhook, signal))) {
			await sleep(delay, undefined, { signal, ref: false }).catch(() => {})
			delay = Math.min(delay * 2, MAX_RETRY_MS)
		}
		this.#outstanding--
	}

	// Returns true if the webhook needs no other attempt.
	async #post({ id, body, isForged }: Webhook, signal: AbortSignal): Promise<boolean> {
		const { webhook_url: url, webhook_secret: secret } = this.#store.merchant
		if (url === null) {
			this.#stats.lost++
			return true
		}
		const headers = {
			'content-type': 'application/json',
			'user-agent': 'Razorpay-Webhook/v1',
			'request-id': id,
			'x-razorpay-event-id': id,
			'x-razorpay-signature': hexHmac(isForged ? `not ${secret}` : secret, body),
		}
		try {
			const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent, signal })
			await answer.body.dump()
			const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
			if (isTaken) this.#stats.taken++
			else this.#stats.failed++
			// A forger does not try again.
			return isTaken || isForged
		} catch {
			this.#stats.failed++
			return isForged
		}
	}
}
