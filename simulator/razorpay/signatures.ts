import { createHmac } from 'node:crypto'
import type { PaymentLink } from './entities.ts'
import type { Merchant } from './merchant.ts'

export function hexHmac(secret: string, content: string | Buffer): string {
	return createHmac('sha256', secret).update(content).digest('hex')
}

/** Returns the address to which the page sends the customer back, with signed parameters; null for a link without one. */
export function returnUrl(link: PaymentLink, paymentId: string, { key_secret }: Merchant): string | null {
	if (link.callback_url === '') return null
	const url = new URL(link.callback_url)
	const signed = [link.id, link.reference_id, link.status, paymentId].join('|')
	url.searchParams.set('razorpay_payment_id', paymentId)
	url.searchParams.set('razorpay_payment_link_id', link.id)
	url.searchParams.set('razorpay_payment_link_reference_id', link.reference_id)
	url.searchParams.set('razorpay_payment_link_status', link.status)
	url.searchParams.set('razorpay_signature', hexHmac(key_secret, signed))
	return url.href
}
