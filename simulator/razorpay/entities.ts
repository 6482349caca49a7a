import { randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 14

export type LinkStatus = 'created' | 'paid' | 'expired' | 'cancelled'
export type Method = 'upi' | 'card' | 'netbanking'
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed'

/** A payment link. Amounts are paise and times seconds since 1970, as in all entities of Razorpay; 0 is no time. */
export interface PaymentLink {
	id: string
	order_id: string
	reference_id: string
	amount: number
	amount_paid: number
	currency: string
	description: string
	status: LinkStatus
	callback_url: string
	short_url: string
	customer: Record<string, unknown>
	notes: Record<string, unknown>
	created_at: number
	updated_at: number
	expire_by: number
	expired_at: number
	cancelled_at: number
}

/** An attempt to pay a link. A link may have several failed ones, and by fault more than one captured one. */
export interface Payment {
	id: string
	plink_id: string
	order_id: string
	amount: number
	currency: string
	status: 'captured' | 'failed' | 'refunded'
	method: Method
	amount_refunded: number
	created_at: number
}

export interface Refund {
	id: string
	payment_id: string
	amount: number
	currency: string
	created_at: number
}

export interface Dispute {
	id: string
	payment_id: string
	amount: number
	currency: string
	amount_deducted: number
	status: DisputeStatus
	created_at: number
}

/** Returns a new id of Razorpay's form, such as `pay_KBnbn1kQ6XTkgC`. */
export function newId(prefix: 'plink' | 'order' | 'pay' | 'rfnd' | 'disp' | 'evt'): string {
	const letters = Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
	return `${prefix}_${letters.join('')}`
}

/** Returns the current time in seconds since 1970. */
export function nowInSeconds(): number {
	return Math.floor(Date.now() / 1_000)
}
