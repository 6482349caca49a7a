import type { Journal, JournalRecord } from '../state/journal.ts'
import { type Dispute, nowInSeconds, type Payment, type PaymentLink, type Refund } from './entities.ts'
import { DEFAULT_MERCHANT, type Merchant } from './merchant.ts'

/** Stores the merchant, its payment links and their payments, refunds and disputes. */
export class PaymentStore {
	merchant: Merchant = { ...DEFAULT_MERCHANT }
	readonly links = new Map<string, PaymentLink>()
	readonly payments = new Map<string, Payment>()
	readonly refunds = new Map<string, Refund>()
	readonly disputes = new Map<string, Dispute>()
	readonly #byReference = new Map<string, PaymentLink>()
	readonly #paymentsOf = new Map<string, Payment[]>()
	readonly #journal: Journal

	constructor(journal: Journal) {
		this.#journal = journal
	}

	saveLink(link: PaymentLink): void {
		const saved = Object.assign(this.links.get(link.id) ?? link, link, { updated_at: nowInSeconds() })
		this.links.set(link.id, saved)
		this.#byReference.set(link.reference_id, saved)
		this.#journal.write(['payment link', saved])
	}

	savePayment(payment: Payment): void {
		const ofLink = this.#paymentsOf.get(payment.plink_id) ?? []
		if (!this.payments.has(payment.id)) ofLink.push(payment)
		this.#paymentsOf.set(payment.plink_id, ofLink)
		this.payments.set(payment.id, payment)
		this.#journal.write(['payment', payment])
	}

	saveRefund(refund: Refund): void {
		this.refunds.set(refund.id, refund)
		this.#journal.write(['payment refund', refund])
	}

	saveDispute(dispute: Dispute): void {
		this.disputes.set(dispute.id, dispute)
		this.#journal.write(['payment dispute', dispute])
	}

	linkOf(reference: string): PaymentLink | undefined {
		return this.#byReference.get(reference)
	}

	paymentsOf(link: PaymentLink): readonly Payment[] {
		return this.#paymentsOf.get(link.id) ?? []
	}

	disputeOf(paymentId: string): Dispute | undefined {
		return this.disputes.values().find((dispute) => dispute.payment_id === paymentId)
	}

	clear(): void {
		this.merchant = { ...DEFAULT_MERCHANT, webhook_url: this.merchant.webhook_url }
		const maps = [this.links, this.payments, this.refunds, this.disputes, this.#byReference, this.#paymentsOf]
		for (const map of maps) map.clear()
	}

	restore([kind, record]: JournalRecord): void {
		if (kind === 'payment link') this.saveLink(record as PaymentLink)
		if (kind === 'payment') this.#restorePayment(record as Payment)
		if (kind === 'payment refund') this.saveRefund(record as Refund)
		if (kind === 'payment dispute') this.saveDispute(record as Dispute)
	}

	*snapshot(): Generator<JournalRecord> {
		for (const link of this.links.values()) yield ['payment link', link]
		for (const payment of this.payments.values()) yield ['payment', payment]
		for (const refund of this.refunds.values()) yield ['payment refund', refund]
		for (const dispute of this.disputes.values()) yield ['payment dispute', dispute]
	}

	// A journal contains a payment once for each of its changes; the last one counts.
	#restorePayment(record: Payment): void {
		this.savePayment(Object.assign(this.payments.get(record.id) ?? record, record))
	}
}
