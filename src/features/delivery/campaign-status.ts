import * as z from 'zod/mini'

/** A `draft` is a campaign whose recipients a program is still adding. */
export const CampaignStatus = z.enum(['draft', 'pending', 'processing', 'paused', 'completed', 'cancelled', 'failed'])
export type CampaignStatus = z.output<typeof CampaignStatus>

interface CampaignTransition {
	from: readonly CampaignStatus[]
	to: CampaignStatus
}

export type CampaignAction =
	| 'start'
	| 'open'
	| 'append'
	| 'fail'
	| 'pause'
	| 'pauseWithSender'
	| 'stop'
	| 'resume'
	| 'reopen'
	| 'changeNumber'
	| 'cancel'
	| 'complete'

/**
 * All changes of a campaign's status. The server's statements and the buttons of the screen follow this table. A
 * campaign in a restored database needs its account's decision first.
 */
export const CAMPAIGN_TRANSITIONS: Readonly<Record<CampaignAction, CampaignTransition>> = {
	/** The program has added all recipients, and their price is held. */
	start: { from: ['draft'], to: 'pending' },
	/** The opening time has come, and the header file is uploaded. */
	open: { from: ['pending'], to: 'processing' },
	/** A program has added messages to an API campaign. */
	append: { from: ['completed'], to: 'processing' },
	/** The campaign cannot be opened, now or later. */
	fail: { from: ['pending'], to: 'failed' },
	pause: { from: ['pending', 'processing'], to: 'paused' },
	/** Pauses processing campaigns alone: a pending one checks the sender when it is opened. */
	pauseWithSender: { from: ['processing'], to: 'paused' },
	/** Ends a campaign of one message with an error that would pause a normal campaign. */
	stop: { from: ['pending', 'processing'], to: 'failed' },
	resume: { from: ['paused'], to: 'processing' },
	/** Resumes a campaign that was never opened, or has to be opened again. */
	reopen: { from: ['paused'], to: 'pending' },
	/** The header file has to be uploaded again, from the sender's new number. */
	changeNumber: { from: ['processing'], to: 'pending' },
	cancel: { from: ['draft', 'pending', 'processing', 'paused'], to: 'cancelled' },
	/** The last message is settled. */
	complete: { from: ['pending', 'processing', 'paused'], to: 'completed' },
}

export function isAllowed(action: CampaignAction, status: CampaignStatus): boolean {
	return CAMPAIGN_TRANSITIONS[action].from.includes(status)
}

/** Most follow-ups of one campaign to its throttled recipients. Each follow-up is a campaign. */
export const MAX_FOLLOW_UPS = 3

/**
 * The status reason of a campaign that its user paused. A paused campaign with any other reason was paused by the
 * product.
 */
export const PAUSED_BY_OWNER = 'You paused this campaign.'
