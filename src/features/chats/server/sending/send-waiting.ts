import { isAccountInUse } from '#features/auth/server/queries.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { NO_CREDENTIALS } from '#features/whatsapp/problems.ts'
import { getSender } from '#features/whatsapp/server/service.ts'
import { isProblem } from '#lib/app-error.ts'
import type { AccountId, Db, Sql } from '#lib/server/db.ts'
import { transactionUntilKnown } from '#lib/server/db/lost-commit.ts'
import { handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import { holdReplyPrice } from '../charges/charges.ts'
import { deliver, failUnsent } from './deliver.ts'
import { claimUnsent, hasClaimed, type ClaimedMessage } from './outbound-queries.ts'
import type { SendContext } from './send.ts'

/** Job for a message without a waiting caller, such as the confirmation of an opt-out. */
export const sendWaitingJob = jobKind<{ accountId: AccountId; id: number }>('send-chat-message', {
	total: 60,
	each: 20,
})

/**
 * Returns the handler that sends a chat message written for a worker. A second run of the job finds the message claimed
 * and does nothing, so that what may fail comes before the claim or is part of it.
 */
export const waitingHandler = (context: SendContext) =>
	handlerOf(sendWaitingJob, async ({ data: { accountId, id } }) => {
		const sender = (await isAccountInUse(context.db, accountId))
			? await getSender(context.db, context.vault, accountId)
			: null
		const refusal = sender ? sender.stoppedReason : NO_CREDENTIALS
		const claimed = await claim(context.db, accountId, { id, refusal })
		if (!claimed) return
		if (!sender || claimed.refusal !== null) {
			const error = claimed.refusal ?? NO_CREDENTIALS
			return failUnsent(context, accountId, { id, code: OWN_ERRORS.notRun.code, error })
		}
		const { chat, body, replyWamid } = claimed.message
		const part = { type: 'text', text: { body: body.text ?? '' } }
		await deliver(context, accountId, { id, chat, part, replyWamid, sender })
	})

/**
 * Claims a message, and holds its price unless it is refused already. Returns the words of its refusal, also of a wallet that is
 * short; undefined for a message that is claimed already.
 */
async function claim(
	db: Db,
	accountId: AccountId,
	{ id, refusal }: { id: number; refusal: string | null },
): Promise<{ message: ClaimedMessage; refusal: string | null } | undefined> {
	const work = async (sql: Sql) => {
		const message = await claimUnsent(sql, accountId, id)
		if (message?.isPaid && refusal === null) await holdReplyPrice(sql, accountId, message)
		return message && { message, refusal }
	}
	try {
		return await transactionUntilKnown(db, work, (sql, { message }) => hasClaimed(sql, accountId, message))
	} catch (error) {
		if (!isProblem(error, 'balance_short_for_message')) throw error
		return claim(db, accountId, { id, refusal: error.message })
	}
}
