import { indianDay } from '#lib/dates.ts'

/** Reason of a refund: Meta reported a failure, no status update came within Meta's 30 days, or Meta does not charge the message. */
export const REFUND_REASONS = ['reported', 'silence', 'free'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/**
 * Number of messages refunded automatically within FLOOR_DAYS, whatever their share; enough for one failed campaign.
 */
export const FLOOR_MESSAGES = 1000
export const FLOOR_DAYS = 7
/**
 * Above the floor, automatic refunds within WINDOW_DAYS are limited to a share of the charges in that time. Undelivered
 * messages are refunded after 30 days, so a shorter window would miss their charges.
 */
export const WINDOW_DAYS = 60
const MIN_SHARE = 0.15
/** The share rises to USUAL_TIMES the account's share of the preceding USUAL_DAYS, and never exceeds MAX_SHARE. */
export const USUAL_DAYS = 90
const USUAL_TIMES = 2
const MAX_SHARE = 0.3

interface Usual {
	usualRefundedPaise: number
	usualChargedPaise: number
}

/** Returns the share of its charges that an account is refunded automatically. */
export function allowedShare(usual: Usual): number {
	return Math.min(MAX_SHARE, Math.max(MIN_SHARE, (usualShare(usual) ?? 0) * USUAL_TIMES))
}

/** Returns the refunded share of the usual period; null without charges. */
export function usualShare({ usualRefundedPaise: refunded, usualChargedPaise: charged }: Usual): number | null {
	return charged > 0 ? refunded / charged : null
}

/** Returns the Indian financial year (April to March, Indian time) of a time, such as "26-27". */
export function financialYearOf(at: Date): string {
	const day = indianDay(at.getTime())
	const begins = Number(day.slice(0, 4)) - (day.slice(5) < '04-01' ? 1 : 0)
	return [begins, begins + 1].map((year) => String(year).slice(-2)).join('-')
}

/** A credit note takes back a part of a tax invoice; a debit note takes back a part of its credit notes. */
export type NoteKind = 'credit' | 'debit'

/** Returns the number that a credit or debit note shows, such as "CN/26-27/000123": at most 16 characters, as Rule 53 requires. */
export function noteText({ kind, ...number }: { kind: NoteKind; series: string; number: number }): string {
	return `${kind === 'credit' ? 'CN' : 'DN'}/${invoiceText(number)}`
}

/** Returns the number that a tax invoice shows, such as "26-27/000123": at most 16 characters, as Rule 46 requires. */
export function invoiceText({ series, number }: { series: string; number: number }): string {
	return `${series}/${String(number).padStart(6, '0')}`
}

const METHODS: Readonly<Record<string, string>> = {
	upi: 'UPI',
	card: 'Card',
	netbanking: 'Net banking',
	wallet: 'Wallet app',
	emi: 'EMI',
	paylater: 'Pay later',
	bank_transfer: 'Bank transfer',
}

/** Returns the name of the provider's payment method; null while not known. */
export function methodName(method: string | null): string | null {
	return method && (METHODS[method] ?? method)
}
