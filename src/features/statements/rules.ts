import type { StatementKind } from './contract.ts'

/** Display name of each kind of statement line. */
export const kindNames: Record<StatementKind, string> = {
	recharge: 'Recharge',
	hold: 'On hold',
	capture: 'Spent',
	release: 'Returned',
	refund: 'Refund',
	reversal: 'Reversed',
}

/** One-sentence explanation of each kind of statement line. */
export const kindHints: Record<StatementKind, string> = {
	recharge: 'Money added to the wallet.',
	hold: 'The price of new messages, on hold until they are sent.',
	capture: 'Paid from the money on hold, for messages that WhatsApp accepted and replies that it charges.',
	release: 'No longer on hold: the messages were not sent, or the replies are free.',
	refund: 'Given back for messages that were accepted but not delivered or, where agreed, not charged by WhatsApp.',
	reversal: 'Taken from the wallet, because an online payment was refunded or disputed.',
}

/** Purpose of a line without a campaign, except a recharge, a reversal and replies. */
export const CHAT_TEMPLATES = 'Templates sent from chats'
/** Purpose of a line of replies. */
export const REPLIES = 'Replies in chats'

interface NotedLine {
	kind: StatementKind
	/** 0 without a campaign. */
	campaignId: number
	isReply: boolean
	notes: string | null
}

/** Returns the note of a recharge or reversal, or the purpose of a line without a campaign. */
export function notesOf({ kind, campaignId, isReply, notes }: NotedLine): string | null {
	if (isReply) return REPLIES
	return kind === 'recharge' || kind === 'reversal' || campaignId !== 0 ? notes : CHAT_TEMPLATES
}
