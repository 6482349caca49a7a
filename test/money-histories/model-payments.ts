import { takenBackOf, totalOf, type PaymentAmounts } from '#features/payments/rules.ts'
import type { PaidPart } from '#features/payments/server/provider/provider.ts'
import type { Model } from './model.ts'

/** The expected state of an online payment. */
export interface ModelPayment {
	id: number
	reference: string
	amounts: PaymentAmounts
	/** The provider's id of the part that was credited; null before. */
	creditedPart: string | null
	/** Paise of the total that went back to the payer, as far as a check has seen them. */
	refundedPaise: number
}

/**
 * Applies a check of a payment: credits the first collected part if it is what the page asked for, and takes back the share of
 * the credit that went back to the payer.
 */
export function checkPayment(model: Model, payment: ModelPayment, parts: readonly PaidPart[]): void {
	const { amounts } = payment
	const isExact = ({ paise, currency }: PaidPart) => paise === totalOf(amounts) && currency === 'INR'
	const part = parts.find((each) =>
		payment.creditedPart === null ? isExact(each) : each.providerPaymentId === payment.creditedPart,
	)
	if (!part) return
	if (payment.creditedPart === null) {
		payment.creditedPart = part.providerPaymentId
		model.payIn(amounts.creditPaise)
	}
	const refundedPaise = Math.min(totalOf(amounts), part.refundedPaise + part.lostPaise)
	model.takeBack(takenBackOf(amounts, refundedPaise) - takenBackOf(amounts, payment.refundedPaise))
	payment.refundedPaise = refundedPaise
}
