/** Why a message's money is to be given back: a report says that it failed, or none has come in Meta's 30 days. */
export const REFUND_REASONS = ['reported', 'silence'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** So many messages are given back within so many days without a question, whatever their share: one bad campaign. */
export const FLOOR_MESSAGES = 1000
export const FLOOR_DAYS = 7
/**
 * Beyond that, what is given back within so many days stays within a share of what was charged in them. Messages that are not
 * delivered are given back after 30 days, so that a shorter time would miss what they had cost.
 */
export const WINDOW_DAYS = 60
const MIN_SHARE = 0.15
/** An account may have more if it always had, up to so many times its share of the days before, and never above this. */
export const USUAL_DAYS = 90
const USUAL_TIMES = 2
const MAX_SHARE = 0.3

interface Usual {
	usualRefundedPaise: number
	usualChargedPaise: number
}

/** The share of its charges that an account is given back at once. */
export function allowedShare(usual: Usual): number {
	return Math.min(MAX_SHARE, Math.max(MIN_SHARE, (usualShare(usual) ?? 0) * USUAL_TIMES))
}

/** Null before there was anything. */
export function usualShare({ usualRefundedPaise: refunded, usualChargedPaise: charged }: Usual): number | null {
	return charged > 0 ? refunded / charged : null
}
