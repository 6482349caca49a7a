import {
	ProviderError,
	type NewPage,
	type PaidPart,
	type Page,
	type PaymentProvider,
	type PaymentReading,
} from '#features/payments/server/provider/provider.ts'
import { createRazorpay } from '#features/payments/server/provider/razorpay.ts'
import { createLink } from '#simulator/razorpay/create-link.ts'
import type { Payment, PaymentLink } from '#simulator/razorpay/entities.ts'
import { DEFAULT_MERCHANT } from '#simulator/razorpay/merchant.ts'
import { PaymentStore } from '#simulator/razorpay/payment-store.ts'
import { Journal } from '#simulator/state/journal.ts'
import type { CallFault, CheckFault } from './payment-steps.ts'

/** Crash of the product, thrown where a step wants one. */
export class Crash extends Error {}

const ORIGIN = 'https://razorpay.example'

/** Razorpay in memory, with the records and rules of the simulator and the signatures of the product's own client. */
export class HistoryProvider implements PaymentProvider {
	readonly payments = { store: new PaymentStore(new Journal(null)), webhooks: { send: () => {} } }
	/** Faults of the next call about an account. */
	readonly #createFaults = new Map<number, CallFault>()
	readonly #readFaults = new Map<number, CheckFault>()
	readonly #delays = new Map<number, { known: () => void; given: Promise<void> }>()
	readonly #signatures = createRazorpay({
		url: ORIGIN,
		keyId: DEFAULT_MERCHANT.key_id,
		keySecret: DEFAULT_MERCHANT.key_secret,
		webhookSecret: DEFAULT_MERCHANT.webhook_secret,
	})

	failCreation(accountId: number, fault: CallFault): void {
		this.#createFaults.set(accountId, fault)
	}

	/** Sets the fault of all reads of an account's payments until the next call. */
	failReads(accountId: number, fault: CheckFault): void {
		this.#readFaults.set(accountId, fault)
	}

	/** Delays the next answer about an account's payments. `read` resolves when the answer is known, `answer` gives it. */
	delayNextRead(accountId: number): { read: Promise<void>; answer: () => void } {
		const [read, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
		this.#delays.set(accountId, { known: read.resolve, given: answer.promise })
		return { read: read.promise, answer: answer.resolve }
	}

	linkOf(reference: string): PaymentLink | undefined {
		return this.payments.store.linkOf(reference)
	}

	/** Returns the collected payments of a link, oldest first. */
	partsOf(link: PaymentLink): PaidPart[] {
		return this.payments.store.paymentsOf(link).map((payment) => this.#partOf(payment))
	}

	async createPayment(page: NewPage): Promise<Page> {
		const fault = take(this.#createFaults, page.reference) ?? 'none'
		if (fault === 'refused') throw new ProviderError('refused', { status: 429 })
		const link = this.linkOf(page.reference) ?? this.#create(page)
		if (fault === 'lost') throw new ProviderError('no answer')
		return pageOf(link)
	}

	async readPayment({ reference }: { reference: string }): Promise<PaymentReading | null> {
		const fault = this.#readFaults.get(accountOf(reference)) ?? 'none'
		if (fault === 'silent') throw new ProviderError('no answer')
		if (fault === 'crash after answer') throw new Crash()
		const link = this.linkOf(reference)
		if (!link) return null
		const parts = this.partsOf(link)
		const reading = { ...pageOf(link), reference, state: parts.length > 0 ? ('paid' as const) : link.status, parts }
		const delay = this.#delays.get(accountOf(reference))
		this.#delays.delete(accountOf(reference))
		delay?.known()
		await delay?.given
		return reading
	}

	async isUntouched({ providerPaymentId: id }: { providerPaymentId: string }): Promise<boolean> {
		return !this.payments.store.disputeOf(id) && !this.payments.store.payments.get(id)?.amount_refunded
	}

	verifyWebhook: PaymentProvider['verifyWebhook'] = (bytes, signature) =>
		this.#signatures.verifyWebhook(bytes, signature)
	verifyReturn: PaymentProvider['verifyReturn'] = (parameters) => this.#signatures.verifyReturn(parameters)

	/** Forgets all pages. */
	clear(): void {
		this.payments.store.clear()
		this.#createFaults.clear()
		this.#readFaults.clear()
	}

	close(): Promise<void> {
		return this.#signatures.close()
	}

	#create({ reference, totalPaise, returnUrl, expiresAt }: NewPage): PaymentLink {
		const fields = {
			amount: totalPaise,
			reference_id: reference,
			callback_url: returnUrl,
			callback_method: 'get',
			expire_by: Math.floor(expiresAt.getTime() / 1_000),
		}
		return createLink(this.payments.store, Buffer.from(JSON.stringify(fields)), ORIGIN)
	}

	#partOf(payment: Payment): PaidPart {
		const dispute = this.payments.store.disputeOf(payment.id)
		return {
			providerPaymentId: payment.id,
			paise: payment.amount,
			currency: payment.currency,
			method: payment.method,
			paidAt: new Date(payment.created_at * 1_000),
			refundedPaise: payment.amount_refunded,
			lostPaise: dispute?.status === 'lost' ? dispute.amount_deducted : 0,
		}
	}
}

function pageOf({ id, short_url: url }: PaymentLink): Page {
	return { providerId: id, url }
}

/** Returns the account of a reference, which begins with its id. */
function accountOf(reference: string): number {
	return Number(reference.split('-')[0])
}

function take(faults: Map<number, CallFault>, reference: string): CallFault | undefined {
	const accountId = accountOf(reference)
	const fault = faults.get(accountId)
	faults.delete(accountId)
	return fault
}
