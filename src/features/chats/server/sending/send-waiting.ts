import { isAccountInUse } from '#features/auth/server/queries.ts'
import { lineOf } from '#features/chats/rules.ts'
import { OWN_ERRORS } from '#features/delivery/rules.ts'
import { findSettings } from '#features/replies/server/automatic/automatic-queries.ts'
import { MAX_AGE_MS } from '#features/replies/server/automatic/choose-reply.ts'
import { NO_CREDENTIALS } from '#features/whatsapp/problems.ts'
import { getSender } from '#features/whatsapp/server/service.ts'
import { isProblem } from '#lib/app-error.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { transactionUntilKnown } from '#lib/server/db/lost-commit.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import { holdReplyPrice } from '../charges/charges.ts'
import type { MessageBody } from '../history-queries.ts'
import { listUnanswered } from '../queries.ts'
import { deliver, failUnsent } from './deliver.ts'
import { claimUnsent, hasClaimed, type ClaimedMessage } from './outbound-queries.ts'
import { writeOutgoing, type SendContext } from './send.ts'

/** Job for a message without a waiting caller: the confirmation of an opt-out, or an automatic reply. */
const sendWaitingJob = jobKind<{ accountId: AccountId; id: number }>('send-chat-message', {
	total: 60,
	each: 20,
})

interface Waiting {
	chat: string
	body: MessageBody & { text: string }
	/** Id of the request, as `isAutomaticId` recognises it. */
	requestId: string
	at: Date
}

/**
 * Writes texts that a worker sends, in the caller's transaction and in the order of the list. Leaves out those whose request ids
 * are stored.
 */
export async function writeWaiting(sql: Sql, accountId: AccountId, texts: readonly Waiting[]): Promise<void> {
	if (texts.length === 0) return
	const messages = texts.map((text) => {
		const line = lineOf({ kind: 'text', text: text.body.text })
		return { ...text, kind: 'text', line, isClaimed: false }
	})
	const rows = await writeOutgoing(sql, accountId, messages)
	const jobs = rows.map(({ id }) => ({ accountId, id })).toSorted((a, b) => a.id - b.id)
	await addJobs(sql, sendWaitingJob, jobs)
}

/**
 * Returns the handler that sends a chat message written for a worker. A second run of the job finds the message claimed
 * and does nothing, so that what may fail is read before the claim.
 */
export const waitingHandler = (context: SendContext) =>
	handlerOf(sendWaitingJob, async ({ data: { accountId, id } }) => {
		const sender = (await isAccountInUse(context.db, accountId))
			? await getSender(context.db, context.vault, accountId)
			: null
		const message = await transactionUntilKnown(
			context.db,
			(sql) => claimWaiting(sql, accountId, id),
			(sql, claimed) => hasClaimed(sql, accountId, claimed),
		)
		if (!message) return
		const { chat, body, replyWamid, at, late } = message
		const automatic = body.automatic === undefined ? null : { id: body.automatic, at }
		const fail = (error: string, code: number = OWN_ERRORS.notRun.code) =>
			failUnsent(context, accountId, { id, code, error, automatic })
		if (late) return fail(late.text, late.code)
		if (!sender || sender.stoppedReason) return fail(sender?.stoppedReason ?? NO_CREDENTIALS)
		const refusal = message.isPaid ? await tryHold(context, accountId, message) : null
		if (refusal) return fail(refusal)
		const part = { type: 'text', text: { body: body.text ?? '' } }
		await deliver(context, accountId, { id, chat, part, replyWamid, sender })
	})

/** Claims a waiting message as `claimUnsent` does, with the reason `late` why it may not be sent any more; null without one. */
async function claimWaiting(sql: Sql, accountId: AccountId, id: number) {
	const message = await claimUnsent(sql, accountId, id)
	return message && { ...message, late: await lateReason(sql, accountId, message) }
}

/**
 * Returns the reason why a claimed automatic reply may not be sent any more, since its job ran late; null when it may be sent,
 * and for other messages.
 */
async function lateReason(
	sql: Sql,
	accountId: AccountId,
	{ chat, body, at, claimedAt }: ClaimedMessage,
): Promise<{ code: number; text: string } | null> {
	if (body.automatic === undefined) return null
	const { code } = OWN_ERRORS.notRun
	if (claimedAt.getTime() - at.getTime() > MAX_AGE_MS) return { code, text: 'It was too late for an automatic reply' }
	const settings = await findSettings(sql, accountId)
	if (settings?.isOn === false) return { code, text: 'Automatic replies were switched off' }
	return (await listUnanswered(sql, accountId, [chat])).size > 0 ? OWN_ERRORS.optedOut : null
}

/**
 * Holds the price of a claimed message. Returns the text of the refusal when the wallet is short, and null otherwise. A
 * claimed message without a hold was never sent.
 */
async function tryHold(
	{ db }: SendContext,
	accountId: AccountId,
	message: { id: number; chat: string },
): Promise<string | null> {
	try {
		await transaction(db, (sql) => holdReplyPrice(sql, accountId, message))
		return null
	} catch (error) {
		if (isProblem(error, 'balance_short_for_message')) return error.message
		throw error
	}
}
