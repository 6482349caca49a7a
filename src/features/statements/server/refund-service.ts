import { getAccount, recordAdminAction, type Actor } from '#features/auth/server/service.ts'
import { addToTotals } from '#features/delivery/server/settlement/count-queries.ts'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { problem } from '#features/statements/problems.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { lockAvailable, takeWaiting, type Decided } from '#features/wallet/server/refund-queries.ts'
import { formatRupees, rupeesFromPaise } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { Notify } from '#lib/server/db/channels/notify.ts'
import { isolate } from '#lib/text/bidi.ts'
import { findCampaignName, listChatCampaigns } from './refund-queries.ts'

export interface RefundContext {
	db: Db
	notify: Notify
}

interface Decision extends Omit<Decided, 'campaignIds'> {
	/** Null for chat templates. */
	campaignId: number | null
	actor: Actor
}

/**
 * Approves or refuses a waiting refund, and returns its amount in paise. Throws 409 when the refund was already decided
 * or fewer messages wait by now; locks rows in the order of settling.
 */
export async function decideRefund(
	{ db, notify }: RefundContext,
	userId: string,
	{ actor, campaignId, ...decision }: Decision,
): Promise<number> {
	const { pricePaise, reason, isApproved, messages } = decision
	const accountId = await getAccount(db, userId)
	const paise = pricePaise * messages
	return transaction(db, async (sql) => {
		await lockAvailable(sql, accountId)
		const campaignIds = campaignId === null ? await listChatCampaigns(sql, accountId, decision) : [campaignId]
		const taken = await takeWaiting(sql, accountId, { ...decision, campaignIds })
		if (taken.length === 0) throw problem('refund_decided_already')
		for (const of of isApproved ? taken : []) {
			const reference = `refund:waiting:${of.campaignId}:${pricePaise}:${reason}:${of.decisions}`
			const posting = { kind: 'refund', reference, paise: pricePaise * of.messages, messageCount: of.messages } as const
			await post(sql, accountId, { ...posting, campaignId: of.campaignId, adminId: actor.adminId })
		}
		const day = { sent: 0, delivered: 0, read: 0, failed: 0, spentPaise: -paise }
		if (isApproved) await addToTotals(sql, accountId, { blocks: [], minutes: [], day, usage: [] })
		const name = campaignId === null ? null : await findCampaignName(sql, accountId, campaignId)
		announceLive(sql, accountId, { kind: 'wallet' })
		if (campaignId !== null) announceLive(sql, accountId, { kind: 'campaign', id: String(campaignId) })
		const about = {
			amountPaise: paise,
			isPassedOn: reason === 'free',
			campaign: campaignId === null || name === null ? null : { id: campaignId, name },
		}
		await notify(
			sql,
			accountId,
			isApproved ? notificationOf.refundApproved(about) : notificationOf.refundRefused(about),
		)
		const of = name === null ? 'sent from chats' : `of "${isolate(name)}"`
		await recordAdminAction(sql, actor, {
			action: isApproved ? 'refund-approved' : 'refund-refused',
			subjectId: Number(userId),
			details: `${formatRupees(rupeesFromPaise(paise))} for ${plural(messages, 'message', 'messages')} ${of}`,
		})
		return paise
	})
}
