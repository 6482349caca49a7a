import {
	type Dispute,
	type DisputeStatus,
	type Method,
	newId,
	nowInSeconds,
	type Payment,
	type PaymentLink,
	type Refund,
} from './entities.ts'
import { RazorpayError } from './errors.ts'
import type { PaymentStore } from './payment-store.ts'
import type { PaymentWebhooks } from './payment-webhooks.ts'
import { disputeShape, linkShape, orderShape, paymentShape, refundShape } from './shapes.ts'

/** The provider's records, and the sender of its webhooks. */
interface Payments {
	store: PaymentStore
	webhooks: Pick<PaymentWebhooks, 'send'>
}

/** Sum and currency of a payment that differ from those of its link. */
export interface PaidOtherwise {
	amount?: number | undefined
	currency?: string | undefined
}

/** Pays a link, whatever its state: a bank may confirm a payment after the link has expired, or a second one. */
export function payLink(
	{ store, webhooks }: Payments,
	link: PaymentLink,
	{ method, amount, currency }: PaidOtherwise & { method: Method },
): Payment {
	const payment = newPayment(link, { method, status: 'captured' })
	payment.amount = amount ?? payment.amount
	payment.currency = currency ?? payment.currency
	store.savePayment(payment)
	store.saveLink({ ...link, status: 'paid', amount_paid: link.amount_paid + payment.amount })
	const payload = { order: orderShape(link), payment: paymentShape(payment) }
	webhooks.send('payment.captured', { payment: payload.payment })
	webhooks.send('payment_link.paid', { payment_link: linkShape(link), ...payload })
	return payment
}

/** Records an attempt that the bank declines. The link stays payable. */
export function failPayment({ store, webhooks }: Payments, link: PaymentLink, method: Method): Payment {
	const payment = newPayment(link, { method, status: 'failed' })
	store.savePayment(payment)
	webhooks.send('payment.failed', { payment: paymentShape(payment) })
	return payment
}

function newPayment(link: PaymentLink, of: Pick<Payment, 'method' | 'status'>): Payment {
	const { id: plink_id, order_id, amount, currency } = link
	return {
		id: newId('pay'),
		plink_id,
		order_id,
		amount,
		currency,
		amount_refunded: 0,
		created_at: nowInSeconds(),
		...of,
	}
}

/** Cancels an unpaid link. Throws Razorpay's error for any other. */
export function cancelLink({ store, webhooks }: Payments, link: PaymentLink): void {
	if (link.status !== 'created')
		throw new RazorpayError(400, `Payment link cannot be cancelled: it is already ${link.status}.`)
	store.saveLink({ ...link, status: 'cancelled', cancelled_at: nowInSeconds() })
	webhooks.send('payment_link.cancelled', { payment_link: linkShape(link) })
}

/** Expires an unpaid link whose time has come. */
export function expireDueLink(payments: Payments, link: PaymentLink): void {
	if (link.expire_by > 0 && link.expire_by <= nowInSeconds()) expireLink(payments, link)
}

/** Expires an unpaid link at once. */
export function expireLink({ store, webhooks }: Payments, link: PaymentLink): void {
	if (link.status !== 'created') return
	store.saveLink({ ...link, status: 'expired', expired_at: nowInSeconds() })
	webhooks.send('payment_link.expired', { payment_link: linkShape(link) })
}

/** Refunds a part of a payment, by default all that remains. Throws Razorpay's error for more than that. */
export function refundPayment({ store, webhooks }: Payments, payment: Payment, amount?: number): Refund {
	const left = payment.amount - payment.amount_refunded
	const wanted = amount ?? left
	if (payment.status === 'failed')
		throw new RazorpayError(400, 'The payment status should be captured for action to be taken')
	if (left === 0) throw new RazorpayError(400, 'The payment has been fully refunded already')
	if (!Number.isInteger(wanted) || wanted < 100)
		throw new RazorpayError(400, 'The amount must be atleast INR 1.00', 'amount')
	if (wanted > left)
		throw new RazorpayError(400, 'The total refund amount is greater than the refund payment amount', 'amount')
	payment.amount_refunded += wanted
	if (payment.amount_refunded === payment.amount) payment.status = 'refunded'
	store.savePayment(payment)
	const { id: payment_id, currency } = payment
	const refund = { id: newId('rfnd'), payment_id, amount: wanted, currency, created_at: nowInSeconds() }
	store.saveRefund(refund)
	const payload = { refund: refundShape(refund), payment: paymentShape(payment) }
	webhooks.send('refund.created', payload)
	webhooks.send('refund.processed', payload)
	return refund
}

/** Opens the dispute of a payment, or moves it to another status. A lost one deducts its amount from the merchant. */
export function disputePayment(
	{ store, webhooks }: Payments,
	payment: Payment,
	{ amount, status }: { amount?: number | undefined; status: DisputeStatus },
): Dispute {
	const known = store.disputeOf(payment.id)
	const dispute: Dispute = known ?? {
		id: newId('disp'),
		payment_id: payment.id,
		amount: amount ?? payment.amount - payment.amount_refunded,
		currency: payment.currency,
		amount_deducted: 0,
		status: 'open',
		created_at: nowInSeconds(),
	}
	const payload = () => ({ payment: paymentShape(payment), dispute: disputeShape(dispute) })
	if (!known) webhooks.send('payment.dispute.created', payload())
	dispute.status = status
	dispute.amount_deducted = status === 'lost' ? dispute.amount : 0
	store.saveDispute(dispute)
	if (status !== 'open') webhooks.send(`payment.dispute.${status}`, payload())
	return dispute
}
