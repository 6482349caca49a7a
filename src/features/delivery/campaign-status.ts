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
 * All that changes a campaign's status: the server's statements and the buttons of its screen follow this table. One of a
 * restored database waits for its owner's decision before any of it.
 */
export const CAMPAIGN_TRANSITIONS: Readonly<Record<CampaignAction, CampaignTransition>> = {
	/** A program has added all recipients, and their price is held. */
	start: { from: ['draft'], to: 'pending' },
	/** Its time has come, and the header's file is uploaded. */
	open: { from: ['pending'], to: 'processing' },
	/** A program has sent more. */
	append: { from: ['completed'], to: 'processing' },
	/** It could not be opened, and never can be. */
	fail: { from: ['pending'], to: 'failed' },
	pause: { from: ['pending', 'processing'], to: 'paused' },
	/** A campaign that still waits for its time finds out about the sender when it is opened. */
	pauseWithSender: { from: ['processing'], to: 'paused' },
	/** What would pause a campaign ends one of a single message, which nobody would resume. */
	stop: { from: ['pending', 'processing'], to: 'failed' },
	resume: { from: ['paused'], to: 'processing' },
	/** Resumes what was not opened yet, or must be opened again. */
	reopen: { from: ['paused'], to: 'pending' },
	/** Its header's file has to be uploaded from the sender's new number. */
	changeNumber: { from: ['processing'], to: 'pending' },
	cancel: { from: ['draft', 'pending', 'processing', 'paused'], to: 'cancelled' },
	/** Its last message is settled. */
	complete: { from: ['pending', 'processing', 'paused'], to: 'completed' },
}

export function isAllowed(action: CampaignAction, status: CampaignStatus): boolean {
	return CAMPAIGN_TRANSITIONS[action].from.includes(status)
}

/** How often the recipients whom WhatsApp holds back are sent to again by themselves, each time a campaign of its own. */
export const MAX_FOLLOW_UPS = 3

/** The reason of a campaign that its owner has paused; any other one is a pause that came by itself. */
export const PAUSED_BY_OWNER = 'You paused this campaign.'
