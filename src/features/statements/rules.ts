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
