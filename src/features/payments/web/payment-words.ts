import type { PaymentRow } from '#features/payments/contract.ts'
import { formatRupees } from '#lib/money.ts'
import type { Tone } from '#lib/web/ui/value/tone-badge.tsx'

interface PaymentWords {
	/** Word of the badge. */
	label: string
	tone: Tone
	/** Title of the payment's screen. */
	title: string
	/** Meaning for the payer's money. */
	text: string
}

type Stated = Pick<PaymentRow, 'state' | 'amount' | 'total' | 'refunded' | 'problem'>

/** Returns the words for a payment's state. */
export function wordsOf(payment: Stated): PaymentWords {
	return payment.problem ? faultWords(payment, payment.problem) : stateWords(payment)
}

function stateWords({ state, amount, total, refunded }: Stated): PaymentWords {
	switch (state) {
		case 'created':
			return {
				label: 'Not paid yet',
				tone: 'neutral',
				title: 'Not paid yet',
				text: `${formatRupees(total)} to pay. If you have just paid, your bank’s confirmation is still on its way.`,
			}
		case 'paid':
			return refunded > 0
				? {
						label: 'Partly refunded',
						tone: 'info',
						title: `${formatRupees(refunded)} refunded`,
						text: `${formatRupees(refunded)} of ${formatRupees(total)} went back to you, and its share of the money left your wallet.`,
					}
				: {
						label: 'Paid',
						tone: 'ok',
						title: `${formatRupees(amount)} added`,
						text: '',
					}
		case 'expired':
			return {
				label: 'Expired',
				tone: 'neutral',
				title: 'The payment has expired',
				text: `It was not paid within a day, so no money was added. ${CHARGED}`,
			}
		case 'cancelled':
			return {
				label: 'Cancelled',
				tone: 'neutral',
				title: 'The payment was cancelled',
				text: `No money was added. ${CHARGED}`,
			}
		case 'refunded':
			return {
				label: 'Refunded',
				tone: 'info',
				title: `${formatRupees(refunded)} refunded`,
				text: 'The payment went back to you, and the money left your wallet.',
			}
		case 'disputed':
			return {
				label: 'Taken back',
				tone: 'warn',
				title: 'Your bank has taken the payment back',
				text: 'You or your bank disputed this payment, so the money left your wallet.',
			}
	}
}

const CHARGED = 'If your bank has charged you, it will return the money.'

function faultWords({ state, amount, total }: Stated, fault: NonNullable<Stated['problem']>): PaymentWords {
	const isCredited = fault === 'paid-twice' && state === 'paid'
	const text = {
		amount: `The payment page reported another amount than ${formatRupees(total)}, so no money was added yet.`,
		currency: 'The payment was made in another currency than rupees, so no money was added yet.',
		'paid-twice': isCredited
			? `You paid twice. ${formatRupees(amount)} was added once, and the second payment has to go back to you.`
			: 'You paid twice, and the second payment has to go back to you.',
	}[fault]
	return {
		label: isCredited ? 'Paid twice' : 'Being checked',
		tone: 'warn',
		title: isCredited ? 'You paid twice' : 'Your payment is being checked',
		text: `${text} Your administrator has been notified.`,
	}
}
