import { recordWork } from '#features/auth/server/service.ts'
import type { WorkKind } from '#features/auth/work-contract.ts'
import { problem } from '#features/delivery/problems.ts'
import { qualityOf } from '#features/whatsapp/rules.ts'
import { getSenderLimits, resumeSender } from '#features/whatsapp/server/service.ts'
import { plural } from '#lib/numbers.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels/channels.ts'
import type { NumberStanding } from '../contract.ts'
import { isAllowed, PAUSED_BY_OWNER, type CampaignAction, type CampaignStatus } from '../rules.ts'
import { recordPaused } from './lifecycle/pause-events.ts'
import { confirmPrice } from './lifecycle/repricing.ts'
import * as queries from './lifecycle/transition-queries.ts'
import { underLimit } from './limits/pacing.ts'
import { lockRestored, passThrough } from './restore/restore-queries.ts'
import { workChannel } from './work-channel.ts'

export { pacingOf as findPacing, underLimit as findUnderLimit } from './limits/pacing.ts'
export { followNumbers } from './sweeps/follow-number.ts'

/** A change of a campaign's status in the caller's transaction. Returns what it concerned, for the account's activity. */
type Step = (sql: Sql, accountId: AccountId, campaignId: string) => Promise<string>

/** Pauses a campaign. Messages in flight are still sent. */
export const pause: Step = (sql, accountId, campaignId) =>
	change(sql, accountId, {
		campaignId,
		action: 'pause',
		verb: 'paused',
		async apply({ name }) {
			await queries.updateStatus(sql, accountId, { campaignId, action: 'pause', reason: PAUSED_BY_OWNER })
			await recordPaused(sql, accountId, { campaigns: [{ id: campaignId, name }], reason: PAUSED_BY_OWNER })
		},
	})

/**
 * Continues a campaign where it stopped; a campaign that must be opened (again) becomes pending. If it was paused with
 * the sender, the others paused with the sender continue too. Confirms a changed price.
 */
export const resume: Step = (sql, accountId, campaignId) =>
	change(sql, accountId, {
		campaignId,
		action: 'resume',
		verb: 'resumed',
		// Locks the sender before the campaign, as does all code that locks both.
		before: () => resumeSender(sql, accountId),
		async apply({ isOpened, isPausedWithSender }) {
			// Resuming confirms a changed price. Without the money for it nothing is resumed.
			await confirmPrice(sql, accountId, campaignId)
			await queries.updateStatus(sql, accountId, { campaignId, action: isOpened ? 'resume' : 'reopen', reason: null })
			return isPausedWithSender ? resumeOthers(sql, accountId) : 0
		},
	})

/** Resumes the sender of the account and all campaigns that were paused with it. */
export function resumeSending({ db, by }: Change, accountId: AccountId): Promise<void> {
	return transaction(db, async (sql) => {
		const details = plural(await resumeSendingWithin(sql, accountId), 'campaign')
		if (by) await recordWork(sql, accountId, { by, action: 'sending-resumed', details })
	})
}

/** Runs `resumeSending` in the caller's transaction, which must not have locked a campaign yet. Returns the number of campaigns. */
export async function resumeSendingWithin(sql: Sql, accountId: AccountId): Promise<number> {
	await resumeSender(sql, accountId)
	publish(sql, workChannel, accountId)
	return resumeOthers(sql, accountId)
}

async function resumeOthers(sql: Sql, accountId: AccountId): Promise<number> {
	const resumed = await queries.resumeWithSender(sql, accountId)
	for (const id of resumed) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	return resumed.length
}

export const CANCELLED_BY_OWNER = 'You cancelled this campaign.'

/** Cancels a campaign for good. The sweep releases the hold of unsent messages. */
export const cancel: Step = (sql, accountId, campaignId) =>
	change(sql, accountId, {
		campaignId,
		action: 'cancel',
		verb: 'cancelled',
		apply: () => queries.updateStatus(sql, accountId, { campaignId, action: 'cancel', reason: CANCELLED_BY_OWNER }),
	})

/** A change with a transaction of its own. `by` is the id of the person who makes it, for the account's activity. */
interface Change {
	db: Db
	by?: number
}

const alone =
	(step: Step, action: WorkKind) =>
	({ db, by }: Change, accountId: AccountId, campaignId: string): Promise<void> =>
		transaction(db, async (sql) => {
			const details = await step(sql, accountId, campaignId)
			if (by) await recordWork(sql, accountId, { by, action, details })
		})

export const pauseCampaign = alone(pause, 'campaign-paused')
export const resumeCampaign = alone(resume, 'campaign-resumed')
export const cancelCampaign = alone(cancel, 'campaign-cancelled')

/**
 * Pauses all campaigns that the account sends or has scheduled, for example when its user is deactivated. Tests, chat
 * templates and API campaigns fail instead. Returns the number of paused campaigns.
 */
export async function pauseAllCampaigns(sql: Sql, accountId: AccountId, reason: string): Promise<number> {
	const paused = await queries.pauseAll(sql, accountId, { reason, isWithSender: false })
	await recordPaused(sql, accountId, { campaigns: paused, reason })
	publish(sql, workChannel, accountId)
	for (const { id } of paused) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	return paused.length
}

/** Cancels all unfinished campaigns of an account for good. The sweep releases the holds. */
export async function cancelAllCampaigns(sql: Sql, accountId: AccountId, reason: string): Promise<void> {
	if (await queries.cancelAll(sql, accountId, reason)) publish(sql, workChannel, accountId)
}

interface StatusChange {
	campaignId: string
	action: CampaignAction
	verb: string
	before?: () => Promise<void>
	/** Returns the number of other campaigns that have changed, too. */
	apply: (state: queries.CampaignState) => Promise<number | void>
}

async function change(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, action, verb, before, apply }: StatusChange,
): Promise<string> {
	await before?.()
	const state = await queries.lockCampaign(sql, accountId, campaignId)
	if (!state) throw notFound('Campaign')
	refuseChange(state.status, { action, verb })
	if (state.isRestored) throw problem('campaign_undecided')
	const others = await apply(state)
	publish(sql, workChannel, accountId)
	announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
	return others ? `${state.name}, and ${plural(others, 'campaign')} that had stopped with it` : state.name
}

/** Throws 409 for a campaign whose status does not allow the action. */
export function refuseChange(status: CampaignStatus, { action, verb }: { action: CampaignAction; verb: string }): void {
	if (!isAllowed(action, status)) throw problem('campaign_status_refuses', { status, verb })
}

/**
 * Counts the messages of a restored campaign up to `sentThrough` as sent; the others are sent when it is resumed. Status
 * updates, earlier and later ones, take precedence. Throws 409 if nothing is to be decided, 400 for an impossible number.
 */
export function decideRestored(
	{ db }: { db: Db },
	accountId: AccountId,
	{ campaignId, sentThrough }: { campaignId: string; sentThrough: number },
): Promise<void> {
	return transaction(db, async (sql) => {
		const campaign = await lockRestored(sql, accountId, campaignId)
		if (!campaign) throw notFound('Campaign')
		if (!campaign.isRestored) throw problem('campaign_not_restored')
		const { claimedThrough: after, total } = campaign
		if (sentThrough < after || sentThrough > total)
			throw problem('restored_count_invalid', { least: after, most: total })
		await passThrough(sql, accountId, { campaignId, after, through: sentThrough })
		announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
	})
}

/** Wakes the worker of an account that may have campaigns to open or messages to send, once the transaction has committed. */
export function announceWork(sql: Sql, accountId: AccountId): void {
	publish(sql, workChannel, accountId)
}

/** Returns the limit and the quality of an account's number; null for an account without a number. */
export async function getNumberStanding(sql: Sql, accountId: AccountId): Promise<NumberStanding | null> {
	const limits = await getSenderLimits(sql, accountId)
	if (!limits) return null
	const { limit } = await underLimit(sql, accountId, { people: 0, opensAt: null, dailyStart: null })
	return { perDay: limits.messagingLimit, left: limit?.left ?? null, quality: qualityOf(limits) }
}
