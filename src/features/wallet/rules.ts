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
	hold: 'The price of a new campaign, set aside until its messages are sent.',
	capture: 'Paid from what was set aside, for messages that WhatsApp accepted.',
	release: 'Set aside for messages that were not sent, and available again.',
	refund: 'Given back for messages that were accepted but could not be delivered.',
}
