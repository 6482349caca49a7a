import type { Arrival } from '#features/delivery/rules.ts'
import { repliesChannel, saveReplies } from '#features/delivery/server/replies/replies.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import * as queries from './reply-queries.ts'

/**
 * Attributes messages of customers to campaigns. A reply is the first message that a recipient writes within `REPLY_HOURS`
 * after the campaign's message arrived, unless it quotes another message. It counts for the campaign that arrived last.
 *
 * - Campaigns and the API campaigns of a day count. Tests and templates sent from chats have no replies, and do not end the
 *   time of an earlier campaign.
 * - A message arrives at the earliest time of a delivered or read status. Without either it has not arrived, unless its
 *   recipient quotes it.
 * - A message that quotes the campaign's message or taps its button is a reply to that campaign, whichever arrived last. A
 *   message that quotes another message is not a reply; the next one may be.
 * - Reactions, edits and notes of WhatsApp are not messages. Opt-out words are.
 *
 * Statuses and messages arrive in any order. Each message and each arrival inserts a check, and a check recomputes all replies
 * that it may change only from the stored times, so the order of webhooks does not change the result.
 */

/** Number of chats per transaction. */
const CHUNK_SIZE = 500
/** Maximum number of chunks of an account per run, so that other accounts get their turn. */
const MAX_CHUNKS = 10

/** Inserts a check for each message, which attributes the replies in its chat since the message again. */
export async function checkMessages(
	sql: Sql,
	accountId: AccountId,
	messages: readonly { chat: string; kind: string; at: Date }[],
): Promise<void> {
	const written = messages.filter(({ kind }) => kind !== 'system')
	if (written.length === 0) return
	await queries.insertChecks(sql, accountId, firstOfChats(written.map(({ chat, at }) => ({ chat, since: at }))))
	publish(sql, repliesChannel, accountId)
}

/** Inserts checks for recipients who had already written when the arrival of their message became known. */
export async function checkArrivals(sql: Sql, accountId: AccountId, arrivals: readonly Arrival[]): Promise<void> {
	const checks = await queries.insertArrivalChecks(sql, accountId, arrivals)
	if (checks > 0) publish(sql, repliesChannel, accountId)
}

/** Attributes the replies of all chats with a due check. Returns the number of checks. */
export async function attributeReplies(deps: SweepContext): Promise<number> {
	const due = await scanAllAccounts(deps.db, (only) => queries.listDueAllAccounts(deps.db, only))
	return forEachAccount(deps, due, async ({ accountId }) => {
		let taken = 0
		for (let chunk = 0; chunk < MAX_CHUNKS && !deps.signal?.aborted; chunk++) {
			const size = await transaction(deps.db, (sql) => attributeChunk(sql, accountId), { isByKey: true })
			taken += size
			if (size < CHUNK_SIZE) break
		}
		return taken
	})
}

async function attributeChunk(sql: Sql, accountId: AccountId): Promise<number> {
	const checks = await queries.lockDue(sql, accountId, CHUNK_SIZE)
	if (checks.length === 0) return 0
	await saveReplies(sql, accountId, await queries.listChangedReplies(sql, accountId, firstOfChats(checks)))
	await queries.closeChecks(sql, accountId, checks)
	return checks.length
}

/** Returns each chat once with its earliest time, ordered by chat. */
function firstOfChats(checks: readonly queries.ReplyCheck[]): queries.ReplyCheck[] {
	const first = new Map<string, Date>()
	for (const { chat, since } of checks) {
		const known = first.get(chat)
		if (known === undefined || since < known) first.set(chat, since)
	}
	return Array.from(first, ([chat, since]) => ({ chat, since })).toSorted((a, b) => (a.chat < b.chat ? -1 : 1))
}
