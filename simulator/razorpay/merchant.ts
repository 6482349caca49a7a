/** The business that collects payments: its keys, and the address and secret of its webhooks. */
export interface Merchant {
	name: string
	key_id: string
	key_secret: string
	webhook_secret: string
	/** Receiver of the webhooks; null sends none. */
	webhook_url: string | null
	/** Events that the merchant has chosen in Razorpay's dashboard. No others are sent. */
	webhook_events: readonly string[]
	/**
	 * Effect of `reference_id` in the list of links. Razorpay documents it as a filter; callers have also seen it ignored, and
	 * answered with an empty list.
	 */
	reference_filter: 'honoured' | 'ignored' | 'empty'
}

export const DEFAULT_MERCHANT: Merchant = {
	name: 'WhatsApp Bulk Message',
	key_id: 'rzp_test_simulator',
	key_secret: 'simulator-key-secret',
	webhook_secret: 'simulator-webhook-secret',
	webhook_url: null,
	webhook_events: [
		'payment_link.paid',
		'payment_link.cancelled',
		'payment_link.expired',
		'refund.processed',
		'payment.dispute.created',
		'payment.dispute.won',
		'payment.dispute.lost',
	],
	reference_filter: 'honoured',
}

/** Returns the variables with which the product uses this simulator at `url` as its payment provider. */
export function paymentVariables(url: string): Record<string, string> {
	return {
		RAZORPAY_URL: url,
		RAZORPAY_KEY_ID: DEFAULT_MERCHANT.key_id,
		RAZORPAY_KEY_SECRET: DEFAULT_MERCHANT.key_secret,
		RAZORPAY_WEBHOOK_SECRET: DEFAULT_MERCHANT.webhook_secret,
	}
}
