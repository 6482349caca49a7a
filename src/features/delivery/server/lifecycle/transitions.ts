import {
	isAllowed,
	PAUSED_BY_OWNER,
	type CampaignAction,
	type CampaignStatus,
} from '#features/delivery/campaign-status.ts'
import { problem } from '#features/delivery/problems.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { resumeSender } from '#features/whatsapp/server/service.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { workChannel } from '../work-channel.ts'
import { recordPaused } from './pause-events.ts'
import { confirmPrice } from './repricing.ts'
import * as queries from './transition-queries.ts'

/** A change of a campaign's status in the caller's transaction. */
type Step = (sql: Sql, accountId: AccountId, campaignId: string) => Promise<void>

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
			if (isPausedWithSender) await resumeOthers(sql, accountId)
		},
	})

/** Resumes the sender of the account and all campaigns that were paused with it. */
export function resumeSending({ db }: { db: Db }, accountId: AccountId): Promise<void> {
	return transaction(db, async (sql) => {
		await resumeSender(sql, accountId)
		await resumeOthers(sql, accountId)
		publish(sql, workChannel, accountId)
	})
}

async function resumeOthers(sql: Sql, accountId: AccountId): Promise<void> {
	const resumed = await queries.resumeWithSender(sql, accountId)
	for (const id of resumed) announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
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

const alone =
	(step: Step) =>
	({ db }: { db: Db }, accountId: AccountId, campaignId: string): Promise<void> =>
		transaction(db, (sql) => step(sql, accountId, campaignId))

/** Runs `pause` in its own transaction. */
export const pauseCampaign = alone(pause)
export const resumeCampaign = alone(resume)
export const cancelCampaign = alone(cancel)

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

interface Change {
	campaignId: string
	action: CampaignAction
	verb: string
	before?: () => Promise<void>
	apply: (state: queries.CampaignState) => Promise<void>
}

async function change(
	sql: Sql,
	accountId: AccountId,
	{ campaignId, action, verb, before, apply }: Change,
): Promise<void> {
	await before?.()
	const state = await queries.lockCampaign(sql, accountId, campaignId)
	if (!state) throw notFound('Campaign')
	refuseChange(state.status, { action, verb })
	if (state.isRestored) throw problem('campaign_undecided')
	await apply(state)
	publish(sql, workChannel, accountId)
	announceLive(sql, accountId, { kind: 'campaign', id: campaignId })
}

/** Throws 409 for a campaign whose status does not allow the action. */
export function refuseChange(status: CampaignStatus, { action, verb }: { action: CampaignAction; verb: string }): void {
	if (!isAllowed(action, status)) throw problem('campaign_status_refuses', { status, verb })
}

/**
 * Pauses or fails one campaign with a reason and notifies the account, except of a chat template. The sweep releases
 * the money of a failed campaign.
 */
export async function stopCampaign(
	{ db, notify }: { db: Db; notify: Notify },
	accountId: AccountId,
	stop: Parameters<typeof queries.stopCampaign>[2],
): Promise<void> {
	const { campaignId: id, action, reason } = stop
	await transaction(db, async (sql) => {
		const stopped = await queries.stopCampaign(sql, accountId, stop)
		if (!stopped) return
		const { name, kind } = stopped
		const isPaused = action === 'pause' && kind === 'campaign'
		const kindOf = isPaused ? notificationOf.campaignPaused : notificationOf.campaignFailed
		if (kind !== 'chat') await notify(sql, accountId, kindOf({ id, name, reason }))
		if (isPaused) await recordPaused(sql, accountId, { campaigns: [{ id, name }], reason })
		announceLive(sql, accountId, { kind: 'campaign', id: String(id) })
	})
}
