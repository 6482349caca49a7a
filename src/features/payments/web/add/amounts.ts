import type { payments } from '#features/payments/contract.ts'
import { problem } from '#features/payments/problems.ts'
import { taxOfKind } from '#features/payments/rules.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import type { ResponseOf } from '#lib/web/api.ts'

export type PaymentOptions = ResponseOf<typeof payments.options>

/** Returns the payment in rupees that covers the missing and the owed money, within the limits of one payment. */
export function offeredAmount(missing: number, { owed, min, max }: Pick<PaymentOptions, 'owed' | 'min' | 'max'>) {
	const paise = paiseOf(missing) + paiseOf(owed)
	return rupeesFromPaise(Math.min(Math.max(paise, paiseOf(min)), paiseOf(max)))
}

/** Returns the preset that a form without a suggested amount begins with; null without presets. */
export function firstAmount({ presets, owed, min, max }: Pick<PaymentOptions, 'presets' | 'owed' | 'min' | 'max'>) {
	if (owed > 0) return offeredAmount(0, { owed, min, max })
	return presets[1] ?? presets[0] ?? null
}

/** A payment's parts in rupees. */
export interface PaymentParts {
	credit: number
	tax: number
	total: number
	/** Part of the credit that settles owed money. */
	settles: number
}

/** Returns the parts of a payment of the typed amount; null while that is no amount. */
export function partsOf(typed: string, { gstPercent, taxKind, owed }: PaymentOptions): PaymentParts | null {
	const credit = paiseFromRupees(typed)
	if (!credit) return null
	const { cgstPaise, sgstPaise, igstPaise } = taxOfKind(credit, taxKind, gstPercent)
	const tax = cgstPaise + sgstPaise + igstPaise
	return {
		credit: rupeesFromPaise(credit),
		tax: rupeesFromPaise(tax),
		total: rupeesFromPaise(credit + tax),
		settles: rupeesFromPaise(Math.min(credit, paiseOf(owed))),
	}
}

/** Returns the error of the typed amount; null for an amount that can be paid. */
export function amountProblem(typed: string, { min, max }: Pick<PaymentOptions, 'min' | 'max'>): string | null {
	const paise = paiseFromRupees(typed)
	const isPayable = paise !== null && paise >= paiseOf(min) && paise <= paiseOf(max)
	return isPayable ? null : problem('payment_amount_refused', { min, max }).message
}

function paiseOf(rupees: number): number {
	return paiseFromRupees(rupees) ?? 0
}
