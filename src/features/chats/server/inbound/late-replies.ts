import { findReplied, recordQuotes, type Replied } from '#features/delivery/server/replies/replies.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { checkMessages } from '../replies/replies.ts'
import * as queries from './link-queries.ts'

const CHUNK_SIZE = 1000

/**
 * Links replies that arrived before the wamid of their quoted message was stored: a webhook about an answer can arrive before
 * the response to our own request. Each reply counts for its campaign like one that was linked immediately.
 */
export async function linkLateReplies(deps: SweepContext): Promise<void> {
	const due = await scanAllAccounts(deps.db, (only) => queries.listUnlinkedAllAccounts(deps.db, only))
	await forEachAccount(deps, due, ({ accountId }) =>
		transaction(deps.db, (sql) => linkChunk(sql, accountId), { isByKey: true }),
	)
}

/** Links a chunk of an account's replies. Returns the number of linked replies. */
async function linkChunk(sql: Sql, accountId: AccountId): Promise<number> {
	const replies = await queries.lockUnlinked(sql, accountId, CHUNK_SIZE)
	const wamids = replies.map(({ replyWamid }) => replyWamid)
	const quoted = replies.map(({ replyWamid, chat }) => ({ wamid: replyWamid, number: chat }))
	const replied = new Map((await findReplied(sql, accountId, quoted)).map((message) => [message.wamid, message]))
	const inChats = await queries.listChatWamids(sql, accountId, wamids)
	const found = replies.filter(({ replyWamid }) => replied.has(replyWamid) || inChats.has(replyWamid))
	if (found.length === 0) return 0
	const links = found.map((reply) => ({ ...reply, campaign: campaignOf(replied.get(reply.replyWamid)) }))
	await queries.updateLinked(
		sql,
		accountId,
		links.map(({ id, campaign }) => ({ id, campaignId: campaign?.campaignId ?? null, text: campaign?.text ?? null })),
	)
	const answers = links.flatMap(({ campaign, at }) => answerOf(campaign, at))
	await recordQuotes(sql, accountId, firstOfEach(answers))
	await checkMessages(sql, accountId, found)
	for (const chat of new Set(found.map((reply) => reply.chat))) announceLive(sql, accountId, { kind: 'chat', id: chat })
	return found.length
}

/** Returns the quoted message when a campaign sent it; null for a message of the chat and for an unknown message. */
export function campaignOf(quoted: Replied | undefined): Replied | null {
	return quoted && !quoted.isFromChat ? quoted : null
}

/** A recipient's answer to a campaign message, with its time. */
export interface Answer extends Replied {
	at: Date
}

export function answerOf(replied: Replied | null, at: Date): Answer[] {
	return replied ? [{ ...replied, at }] : []
}

/** Returns the first answer of each recipient. */
export function firstOfEach(answers: Answer[]): Answer[] {
	const inOrder = answers.toSorted((a, b) => b.at.getTime() - a.at.getTime())
	return [...new Map(inOrder.map((answer) => [`${answer.campaignId}:${answer.seq}`, answer])).values()]
}
