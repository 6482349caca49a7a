import type { PaymentFault, PaymentState } from '../contract.ts'
import { totalOf, type PaymentAmounts } from '../rules.ts'
import type { PaidPart, PaymentReading } from './provider/provider.ts'

/** The only currency in which wallets are credited. */
const CURRENCY = 'INR'

/** The stored facts that a judgement depends on. */
export interface JudgedPayment extends PaymentAmounts {
	/** The part that was credited or has a fault; null before the first one. */
	providerPaymentId: string | null
	/** True once the wallet is credited. */
	isCredited: boolean
}

export interface Judgement {
	state: PaymentState
	fault: PaymentFault | null
	/** The part that is credited, or that has the fault; null for an unpaid payment. */
	part: PaidPart | null
	/** True when the wallet has, or gets, the credit. */
	isCredited: boolean
	/** Paise of the total that went back to the payer. */
	refundedPaise: number
}

/**
 * Judges a payment by the provider's reading. One part pays it: the first with the exact amount in rupees. Any other
 * collected part is a fault until it has gone back to its payer in full. Returns null when the credited part is missing from
 * the reading.
 */
export function judge(payment: JudgedPayment, { state, parts }: PaymentReading): Judgement | null {
	const totalPaise = totalOf(payment)
	const fits = ({ paise, currency }: PaidPart) => paise === totalPaise && currency === CURRENCY
	const known = payment.isCredited ? parts.find((part) => part.providerPaymentId === payment.providerPaymentId) : null
	if (known === undefined) return null
	const part = known ?? parts.find(fits) ?? parts[0]
	if (!part) return { state, fault: null, part: null, isCredited: false, refundedPaise: 0 }
	const isCredited = known !== null || fits(part)
	const hasStrayMoney = parts.some((one) => goneOf(one) < one.paise && !(isCredited && one === part))
	const gonePaise = goneOf(part)
	const isGone = gonePaise >= part.paise
	return {
		state: part.lostPaise > 0 ? 'disputed' : isGone ? 'refunded' : 'paid',
		fault: hasStrayMoney ? faultOf(part, isCredited) : null,
		part,
		isCredited,
		// An amount in another currency counts when all of it has gone back.
		refundedPaise: isGone ? totalPaise : part.currency === CURRENCY ? Math.min(gonePaise, totalPaise) : 0,
	}
}

/** Returns the paise that went back to the payer. */
function goneOf({ paise, refundedPaise, lostPaise }: PaidPart): number {
	return Math.min(paise, refundedPaise + lostPaise)
}

function faultOf({ currency }: PaidPart, isCredited: boolean): PaymentFault {
	if (isCredited) return 'paid-twice'
	return currency === CURRENCY ? 'amount' : 'currency'
}
