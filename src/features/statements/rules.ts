import type { StatementKind } from './contract.ts'

/** Display name of each kind of statement line. */
export const kindNames: Record<StatementKind, string> = {
	recharge: 'Recharge',
	hold: 'Set aside',
	capture: 'Charge',
	release: 'Release',
	refund: 'Refund',
}

/** One-sentence explanation of each kind of statement line. */
export const kindHints: Record<StatementKind, string> = {
	recharge: 'Money added to the wallet.',
	hold: 'The price of new messages, set aside until they are sent.',
	capture: 'Paid from what was set aside, for messages that WhatsApp accepted.',
	release: 'Set aside for messages that were not sent, and available again.',
	refund: 'Given back for messages that were accepted but could not be delivered.',
}

/** Purpose shown for a line without a campaign, except a recharge. */
export const CHAT_TEMPLATES = 'Templates sent from chats'

interface NotedLine {
	kind: StatementKind
	/** 0 without a campaign. */
	campaignId: number
	notes: string | null
}

/** Returns the admin's note, or the purpose of a line without a campaign. */
export function notesOf({ kind, campaignId, notes }: NotedLine): string | null {
	return kind === 'recharge' || campaignId !== 0 ? notes : CHAT_TEMPLATES
}
