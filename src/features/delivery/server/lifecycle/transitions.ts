import { isAllowed, PAUSED_BY_OWNER, type CampaignAction } from '#features/delivery/campaign-status.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { resumeSender } from '#features/whatsapp/server/sender.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { announceLive, publish } from '#lib/server/db/channels.ts'
import type { Notify } from '#lib/server/db/notify.ts'
import { AppError, notFound } from '#lib/server/errors.ts'
import { workChannel } from '../work-channel.ts'
import { recordPaused } from './pause-events.ts'
import { confirmPrice } from './repricing.ts'
import * as queries from './transition-queries.ts'

/** A step of a campaign, in the caller's transaction. */
type Step = (sql: Sql, owner: OwnerId, campaignId: string) => Promise<void>

/** Stops a campaign from sending more. What is in flight at this moment is still sent. */
export const pause: Step = (sql, owner, campaignId) =>
	change(sql, owner, {
		campaignId,
		action: 'pause',
		verb: 'paused',
		async apply({ name }) {
			await queries.updateStatus(sql, owner, { campaignId, action: 'pause', reason: PAUSED_BY_OWNER })
			await recordPaused(sql, owner, { campaigns: [{ id: campaignId, name }], reason: PAUSED_BY_OWNER })
		},
	})

/**
 * Goes on where the campaign stopped; one that must be opened (again) waits for that. With it go all campaigns that were
 * paused because the sender was.
 */
export const resume: Step = (sql, owner, campaignId) =>
	change(sql, owner, {
		campaignId,
		action: 'resume',
		verb: 'resumed',
		// Before the campaign, as everywhere that locks both.
		before: () => resumeSender(sql, owner),
		async apply({ isOpened, isPausedWithSender }) {
			// A changed price is confirmed by resuming; without the money for it nothing is resumed.
			await confirmPrice(sql, owner, campaignId)
			await queries.updateStatus(sql, owner, { campaignId, action: isOpened ? 'resume' : 'reopen', reason: null })
			if (isPausedWithSender) await resumeOthers(sql, owner)
		},
	})

/** Lets the account send again, with all campaigns that were paused because it could not. */
export function resumeSending({ db }: { db: Db }, owner: OwnerId): Promise<void> {
	return transaction(db, async (sql) => {
		await resumeSender(sql, owner)
		await resumeOthers(sql, owner)
		publish(sql, workChannel, owner)
	})
}

async function resumeOthers(sql: Sql, owner: OwnerId): Promise<void> {
	const resumed = await queries.resumeWithSender(sql, owner)
	for (const id of resumed) announceLive(sql, owner, { kind: 'campaign', id: String(id) })
}

/** Ends a campaign for good. The sweep releases the hold of unsent messages. */
export const cancel: Step = (sql, owner, campaignId) =>
	change(sql, owner, {
		campaignId,
		action: 'cancel',
		verb: 'cancelled',
		apply: () =>
			queries.updateStatus(sql, owner, { campaignId, action: 'cancel', reason: 'You cancelled this campaign.' }),
	})

const alone =
	(step: Step) =>
	({ db }: { db: Db }, owner: OwnerId, campaignId: string): Promise<void> =>
		transaction(db, (sql) => step(sql, owner, campaignId))

/** The same, each in a transaction of its own. */
export const pauseCampaign = alone(pause)
export const resumeCampaign = alone(resume)
export const cancelCampaign = alone(cancel)

/** Pauses all that the account is sending or waits to send, as when its user is deactivated. Returns how many campaigns. */
export async function pauseAllCampaigns(sql: Sql, owner: OwnerId, reason: string): Promise<number> {
	const paused = await queries.pauseAll(sql, owner, { reason, isWithSender: false })
	await recordPaused(sql, owner, { campaigns: paused, reason })
	publish(sql, workChannel, owner)
	for (const { id } of paused) announceLive(sql, owner, { kind: 'campaign', id: String(id) })
	return paused.length
}

/** Ends all that an account has not finished, for good. The sweep releases the holds. */
export async function cancelAllCampaigns(sql: Sql, owner: OwnerId, reason: string): Promise<void> {
	if (await queries.cancelAll(sql, owner, reason)) publish(sql, workChannel, owner)
}

interface Change {
	campaignId: string
	action: CampaignAction
	verb: string
	before?: () => Promise<void>
	apply: (state: queries.CampaignState) => Promise<void>
}

async function change(sql: Sql, owner: OwnerId, { campaignId, action, verb, before, apply }: Change): Promise<void> {
	await before?.()
	const state = await queries.lockCampaign(sql, owner, campaignId)
	if (!state) throw notFound('Campaign')
	if (!isAllowed(action, state.status)) throw new AppError(409, `A campaign that is ${state.status} cannot be ${verb}`)
	if (state.isRestored) throw new AppError(409, 'First choose how many of its messages count as sent.')
	await apply(state)
	publish(sql, workChannel, owner)
	announceLive(sql, owner, { kind: 'campaign', id: campaignId })
}

/** Pauses or fails one campaign with the reason, and notifies its owner. What failed is released by a sweep. */
export async function stopCampaign(
	{ db, notify }: { db: Db; notify: Notify },
	owner: OwnerId,
	stop: Parameters<typeof queries.stopCampaign>[2],
): Promise<void> {
	const { campaignId: id, action, reason } = stop
	await transaction(db, async (sql) => {
		const stopped = await queries.stopCampaign(sql, owner, stop)
		if (!stopped) return
		const { name, kind } = stopped
		const isPaused = action === 'pause' && kind === 'campaign'
		const kindOf = isPaused ? notificationOf.campaignPaused : notificationOf.campaignFailed
		if (kind !== 'chat') await notify(sql, owner, kindOf({ id, name, reason }))
		if (isPaused) await recordPaused(sql, owner, { campaigns: [{ id, name }], reason })
		announceLive(sql, owner, { kind: 'campaign', id: String(id) })
	})
}
