import type { PaymentFault, PaymentState } from './contract.ts'

/** GST of a payment in paise. Either the first two or the last are 0. */
export interface Tax {
	cgstPaise: number
	sgstPaise: number
	igstPaise: number
}

/** Facts that decide the GST of a payment. States are GST codes of two digits; null when not known. */
export interface TaxRule {
	/** Rate of GST in percent, with up to two decimals. */
	percent: number
	issuerState: string | null
	payerState: string | null
}

export type TaxKind = 'none' | 'cgst-sgst' | 'igst'

/** Hundredths of a percent in a whole. */
const WHOLE = 10_000

/** Returns the kind of tax: within the issuer's state, or of a payer whose state is not known, two equal halves. */
export function taxKindOf({ percent, issuerState, payerState }: TaxRule): TaxKind {
	if (percent === 0) return 'none'
	return payerState === null || payerState === issuerState ? 'cgst-sgst' : 'igst'
}

/** Returns the GST in addition to `creditPaise`, each part rounded to a paisa, halves up. */
export function taxOf(creditPaise: number, rule: TaxRule): Tax {
	return taxOfKind(creditPaise, taxKindOf(rule), rule.percent)
}

/** Returns the GST of a known kind, as `taxOf`. */
export function taxOfKind(creditPaise: number, kind: TaxKind, percent: number): Tax {
	const percentHundredths = Math.round(percent * 100)
	const halfPaise = kind === 'cgst-sgst' ? Math.round((creditPaise * percentHundredths) / (2 * WHOLE)) : 0
	const igstPaise = kind === 'igst' ? Math.round((creditPaise * percentHundredths) / WHOLE) : 0
	return { cgstPaise: halfPaise, sgstPaise: halfPaise, igstPaise }
}

export type PaymentAmounts = Tax & { creditPaise: number }

/** Returns the paise that the payer pays: the credit and its tax. */
export function totalOf({ creditPaise, cgstPaise, sgstPaise, igstPaise }: PaymentAmounts): number {
	return creditPaise + cgstPaise + sgstPaise + igstPaise
}

/**
 * Returns the part of the credit that a refund of `refundedPaise` of the total takes back, rounded down. Computed with
 * big integers, because the product of two large amounts exceeds the safe integers.
 */
export function takenBackOf(amounts: PaymentAmounts, refundedPaise: number): number {
	return Number((BigInt(amounts.creditPaise) * BigInt(refundedPaise)) / BigInt(totalOf(amounts)))
}

/** A refunded part of a payment. Its credit, taxes and rounding add up to the refunded money. */
export type Refunded = PaymentAmounts & { roundingPaise: number }

/**
 * Returns the parts of a refund of `refundedPaise` of the total: the credit that is taken back, the rest as tax, and the paisa
 * that two equal halves of a tax may leave. A refund of the total has the parts of the payment.
 */
function refundedParts(amounts: PaymentAmounts, refundedPaise: number): Refunded {
	const creditPaise = takenBackOf(amounts, refundedPaise)
	const taxPaise = refundedPaise - creditPaise
	const igstPaise = amounts.igstPaise > 0 ? taxPaise : 0
	const halfPaise = Math.floor((taxPaise - igstPaise) / 2)
	const roundingPaise = taxPaise - igstPaise - 2 * halfPaise
	return { creditPaise, cgstPaise: halfPaise, sgstPaise: halfPaise, igstPaise, roundingPaise }
}

/**
 * Returns the parts of the difference between refunds of `fromPaise` and of `toPaise` of the total, as positive numbers for
 * refunds that grow or shrink. Each part is a difference of rounded sums, so that the parts of all refunds add up to those of the
 * payment.
 */
export function refundedBetween(amounts: PaymentAmounts, fromPaise: number, toPaise: number): Refunded {
	const less = refundedParts(amounts, Math.min(fromPaise, toPaise))
	const more = refundedParts(amounts, Math.max(fromPaise, toPaise))
	return {
		creditPaise: more.creditPaise - less.creditPaise,
		cgstPaise: more.cgstPaise - less.cgstPaise,
		sgstPaise: more.sgstPaise - less.sgstPaise,
		igstPaise: more.igstPaise - less.igstPaise,
		roundingPaise: more.roundingPaise - less.roundingPaise,
	}
}

/** States as admins read them. */
export const STATE_TEXTS: Readonly<Record<PaymentState, string>> = {
	created: 'Open',
	paid: 'Paid',
	expired: 'Expired',
	cancelled: 'Cancelled',
	refunded: 'Refunded',
	disputed: 'Disputed',
}

/** Faults as admins read them. */
export const FAULT_TEXTS: Readonly<Record<PaymentFault, string>> = {
	amount: 'Paid with another amount',
	currency: 'Paid in another currency',
	'paid-twice': 'Paid twice',
}
