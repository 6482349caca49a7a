import { getMember, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { notices, notifyOnce } from '#features/notifications/server/service.ts'
import { isolate } from '#lib/bidi.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { scanAllOwners } from '#lib/server/all-owners.ts'
import { announceLive } from '#lib/server/channels.ts'
import { transaction, type Db, type OwnerId, type Sql } from '#lib/server/db.ts'
import { AppError } from '#lib/server/errors.ts'
import type { Log } from '#lib/server/log.ts'
import type { Notify } from '#lib/server/notify.ts'
import { post } from './ledger.ts'
import * as queries from './refund-queries.ts'

/** Takes what an admin gave back from what was spent today. Composed by the app. */
export type OnRefunded = (sql: Sql, owner: OwnerId, paise: number) => Promise<void>

export interface RefundContext {
	db: Db
	notify: Notify
	onRefunded: OnRefunded
}

/**
 * Gives back what waits, or refuses to. A 409 when it was decided already or is less by now: of two clicks, one counts.
 * Locks in the order of settling.
 */
export async function decideRefund(
	{ db, notify, onRefunded }: RefundContext,
	userId: string,
	{ actor, ...decision }: queries.Decision & { actor: Actor },
): Promise<number> {
	const { campaignId, pricePaise, reason, isApproved, messages } = decision
	const { id, ownerId } = await getMember(db, userId)
	const paise = pricePaise * messages
	return transaction(db, async (sql) => {
		await queries.lockAvailable(sql, ownerId)
		const taken = await queries.takeWaiting(sql, ownerId, decision)
		if (taken.length === 0)
			throw new AppError(409, 'This refund was decided or has changed meanwhile. Please look at the list again.')
		for (const of of isApproved ? taken : []) {
			const reference = `refund:waiting:${of.campaignId}:${pricePaise}:${reason}:${of.decisions}`
			const posting = { kind: 'refund', reference, paise: pricePaise * of.messages, messageCount: of.messages } as const
			await post(sql, ownerId, { ...posting, campaignId: of.campaignId, adminId: actor.adminId })
		}
		if (isApproved) await onRefunded(sql, ownerId, paise)
		const name = campaignId === null ? null : await queries.findCampaignName(sql, ownerId, campaignId)
		announceLive(sql, ownerId, { kind: 'wallet' })
		if (campaignId !== null) announceLive(sql, ownerId, { kind: 'campaign', id: String(campaignId) })
		const about = {
			amountPaise: paise,
			campaign: campaignId === null || name === null ? null : { id: campaignId, name },
		}
		await notify(sql, ownerId, isApproved ? notices.refundApproved(about) : notices.refundRefused(about))
		const of = name === null ? 'sent from chats' : `of "${isolate(name)}"`
		await recordAdminAction(sql, actor, {
			action: isApproved ? 'refund-approved' : 'refund-refused',
			subjectId: id,
			details: `${formatRupees(rupeesFromPaise(paise))} for ${plural(messages, 'message', 'messages')} ${of}`,
		})
		return paise
	})
}

/**
 * Notifies the admins of accounts whose refunds began to wait. Each account is written in a transaction of its own; after a
 * crash the same words come once a day.
 */
export async function announceWaitingRefunds({ db, log }: { db: Db; log: Log }): Promise<void> {
	const waiting = await scanAllOwners(db, (one) => queries.listUnannouncedAllOwners(db, one))
	if (waiting.length === 0) return
	const admins = await queries.listAdminAccountsAllOwners(db)
	for (const { owner, name } of waiting) {
		const announce = async () => {
			for (const admin of admins)
				await transaction(db, (sql) => notifyOnce(sql, admin, notices.refundsWaiting({ name })))
			await queries.updateAnnounced(db, owner)
		}
		await announce().catch((error: unknown) => log.error({ error, owner }, 'admins were not told of waiting refunds'))
	}
}
