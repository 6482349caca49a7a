import type { NetworkState } from '../network-state.ts'
import type { Payment, PaymentLink } from '../razorpay/entities.ts'
import type { LinkRef, PaymentControl } from '../razorpay/payment-control.ts'
import {
	cancelLink,
	disputePayment,
	expireLink,
	failPayment,
	payLink,
	refundPayment,
} from '../razorpay/payment-events.ts'
import type { PaymentStore } from '../razorpay/payment-store.ts'
import { returnUrl } from '../razorpay/signatures.ts'

export function paymentControl({ payments }: NetworkState): PaymentControl {
	const { store, webhooks } = payments
	return {
		async setMerchant(settings = {}) {
			store.merchant = { ...store.merchant, ...settings }
			return store.merchant
		},
		async payLink({ method = 'upi', amount, currency, ...ref }) {
			const link = linkWith(store, ref)
			const { id } = payLink(payments, link, { method, amount, currency })
			return { payment_id: id, return_url: returnUrl(link, id, store.merchant) }
		},
		async failPayment({ method = 'upi', ...ref }) {
			return { payment_id: failPayment(payments, linkWith(store, ref), method).id }
		},
		async cancelLink(ref) {
			const link = linkWith(store, ref)
			cancelLink(payments, link)
			return { return_url: returnUrl(link, '', store.merchant) }
		},
		async expireLink(ref) {
			expireLink(payments, linkWith(store, ref))
		},
		async refundPayment({ payment_id, amount }) {
			return { id: refundPayment(payments, paymentWith(store, payment_id), amount).id }
		},
		async disputePayment({ payment_id, amount, status = 'lost' }) {
			return { id: disputePayment(payments, paymentWith(store, payment_id), { amount, status }).id }
		},
		async paymentLinks() {
			return [...store.links.values()].map((link) => ({
				id: link.id,
				reference_id: link.reference_id,
				status: link.status,
				amount: link.amount,
				payments: store
					.paymentsOf(link)
					.filter(({ status }) => status !== 'failed')
					.map(({ id }) => id),
			}))
		},
		async resendPaymentEvents() {
			return { sent: webhooks.resend() }
		},
		async paymentWebhookStats() {
			return webhooks.stats
		},
	}
}

function linkWith(store: PaymentStore, { id, reference_id }: LinkRef): PaymentLink {
	const link = store.links.get(id ?? '') ?? store.linkOf(reference_id ?? '')
	if (!link) throw new Error(`No payment link ${id ?? reference_id}`)
	return link
}

function paymentWith(store: PaymentStore, id: string): Payment {
	const payment = store.payments.get(id)
	if (!payment) throw new Error(`No payment ${id}`)
	return payment
}
