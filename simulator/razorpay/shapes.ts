import type { Dispute, Payment, PaymentLink, Refund } from './entities.ts'

/** Returns a link as the API and the webhooks show it. Only the call for one link shows its payments. */
export function linkShape(link: PaymentLink, payments: readonly Payment[] = []): Record<string, unknown> {
	return {
		accept_partial: false,
		amount: link.amount,
		amount_paid: link.amount_paid,
		callback_method: link.callback_url === '' ? '' : 'get',
		callback_url: link.callback_url,
		cancelled_at: link.cancelled_at,
		created_at: link.created_at,
		currency: link.currency,
		customer: link.customer,
		description: link.description,
		expire_by: link.expire_by,
		expired_at: link.expired_at,
		first_min_partial_amount: 0,
		id: link.id,
		notes: link.notes,
		notify: { email: false, sms: false, whatsapp: false },
		order_id: link.order_id,
		payments: payments.map(paymentOfLink),
		reference_id: link.reference_id,
		reminder_enable: false,
		reminders: [],
		short_url: link.short_url,
		status: link.status,
		updated_at: link.updated_at,
		upi_link: false,
		user_id: '',
		whatsapp_link: false,
	}
}

function paymentOfLink({ id, amount, created_at, method, plink_id, status }: Payment): Record<string, unknown> {
	return { amount, created_at, method, payment_id: id, plink_id, status, updated_at: created_at }
}

export function paymentShape(payment: Payment): Record<string, unknown> {
	const { id, amount, currency, status, method, amount_refunded, created_at, order_id } = payment
	const hasFailed = status === 'failed'
	return {
		id,
		entity: 'payment',
		amount,
		currency,
		status,
		order_id,
		invoice_id: null,
		international: currency !== 'INR',
		method,
		amount_refunded,
		refund_status: amount_refunded === 0 ? null : amount_refunded < amount ? 'partial' : 'full',
		captured: !hasFailed,
		// The payment names its link by the end of the link's id only.
		description: `#${payment.plink_id.slice('plink_'.length)}`,
		card_id: null,
		bank: method === 'netbanking' ? 'HDFC' : null,
		wallet: null,
		vpa: method === 'upi' ? 'success@razorpay' : null,
		email: 'customer@example.com',
		contact: '+919876543210',
		notes: [],
		fee: hasFailed ? null : Math.round(amount * 0.0236),
		tax: hasFailed ? null : Math.round(amount * 0.0036),
		error_code: hasFailed ? 'BAD_REQUEST_ERROR' : null,
		error_description: hasFailed ? 'Your payment was declined by your bank. Try another method.' : null,
		error_source: hasFailed ? 'bank' : null,
		error_step: hasFailed ? 'payment_authorization' : null,
		error_reason: hasFailed ? 'payment_failed' : null,
		acquirer_data: method === 'upi' ? { rrn: '412345678901', upi_transaction_id: id } : {},
		created_at,
	}
}

export function orderShape(link: PaymentLink): Record<string, unknown> {
	const isPaid = link.status === 'paid'
	return {
		id: link.order_id,
		entity: 'order',
		amount: link.amount,
		amount_paid: link.amount_paid,
		amount_due: isPaid ? 0 : link.amount,
		currency: link.currency,
		receipt: link.reference_id,
		offer_id: null,
		status: isPaid ? 'paid' : 'attempted',
		attempts: 1,
		notes: [],
		created_at: link.created_at,
	}
}

export function refundShape({ id, amount, currency, payment_id, created_at }: Refund): Record<string, unknown> {
	return {
		id,
		entity: 'refund',
		amount,
		currency,
		payment_id,
		notes: [],
		receipt: null,
		acquirer_data: { arn: null },
		created_at,
		batch_id: null,
		status: 'processed',
		speed_processed: 'normal',
		speed_requested: 'normal',
	}
}

export function disputeShape(dispute: Dispute): Record<string, unknown> {
	return {
		id: dispute.id,
		entity: 'dispute',
		payment_id: dispute.payment_id,
		amount: dispute.amount,
		currency: dispute.currency,
		amount_deducted: dispute.amount_deducted,
		reason_code: 'goods_or_services_not_received_or_partially_received',
		reason_description: 'Goods or services not received',
		respond_by: dispute.created_at + 7 * 24 * 60 * 60,
		status: dispute.status,
		phase: 'chargeback',
		created_at: dispute.created_at,
	}
}
