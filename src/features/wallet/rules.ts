import type { StatementKind } from './contract.ts'

/** What a statement calls each kind of line. */
export const kindNames: Record<StatementKind, string> = {
	recharge: 'Recharge',
	hold: 'Set aside',
	capture: 'Charge',
	release: 'Release',
	refund: 'Refund',
}

/** The same in a sentence, for whoever wonders. */
export const kindHints: Record<StatementKind, string> = {
	recharge: 'Money added to the wallet.',
	hold: 'The price of new messages, set aside until they are sent.',
	capture: 'Paid from what was set aside, for messages that WhatsApp accepted.',
	release: 'Set aside for messages that were not sent, and available again.',
	refund: 'Given back for messages that were accepted but could not be delivered.',
}

/** What a line without a campaign is for, unless it is a recharge. */
export const CHAT_TEMPLATES = 'Templates sent from chats'

interface NotedLine {
	kind: StatementKind
	/** 0 without a campaign. */
	campaignId: number
	notes: string | null
}

/** What an admin noted, or what the money was for where there is no campaign to name. */
export function notesOf({ kind, campaignId, notes }: NotedLine): string | null {
	return kind === 'recharge' || campaignId !== 0 ? notes : CHAT_TEMPLATES
}

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
