import type { DisputeStatus, LinkStatus, Method } from './entities.ts'
import type { Merchant } from './merchant.ts'
import type { PaidOtherwise } from './payment-events.ts'
import type { PaymentWebhookStats } from './payment-webhooks.ts'

/** A link by its id or by the merchant's reference. */
export interface LinkRef {
	id?: string
	reference_id?: string
}

export interface LinkSummary {
	id: string
	reference_id: string
	status: LinkStatus
	amount: number
	/** Ids of the captured payments; more than one if the link was paid twice. */
	payments: string[]
}

/** The part of `Control` that acts for the customers and banks behind Razorpay. Amounts are paise. */
export interface PaymentControl {
	/** Changes the merchant's settings. Returns them. */
	setMerchant(settings?: Partial<Merchant>): Promise<Merchant>
	/**
	 * Pays a link in any state, by UPI by default: a paid one is paid twice. Returns the signed address to which the page would
	 * send the customer.
	 */
	payLink(of: LinkRef & PaidOtherwise & { method?: Method }): Promise<{ payment_id: string; return_url: string | null }>
	/** Attempts a payment that the bank declines. */
	failPayment(of: LinkRef & { method?: Method }): Promise<{ payment_id: string }>
	cancelLink(of: LinkRef): Promise<{ return_url: string | null }>
	/** Ends an unpaid link before its time. */
	expireLink(of: LinkRef): Promise<void>
	/** Refunds a part of a payment, by default all that remains. */
	refundPayment(of: { payment_id: string; amount?: number }): Promise<{ id: string }>
	/** Opens the dispute of a payment, or moves it to another status; `lost` deducts the amount. */
	disputePayment(of: { payment_id: string; amount?: number; status?: DisputeStatus }): Promise<{ id: string }>
	/** Returns the links, oldest first. */
	paymentLinks(): Promise<LinkSummary[]>
	/** Sends the last 1,000 events again, also the lost ones. Returns their number. */
	resendPaymentEvents(): Promise<{ sent: number }>
	paymentWebhookStats(): Promise<PaymentWebhookStats>
}
