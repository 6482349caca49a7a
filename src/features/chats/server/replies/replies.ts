import { repliesChannel, saveReplies } from '#features/campaigns/server/replies.ts'
import type { Arrival } from '#features/delivery/server/arrivals.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import { publish } from '#lib/server/db/channels.ts'
import * as queries from './reply-queries.ts'

/**
 * Attributes messages of customers to campaigns. A reply is the first message that a recipient writes within `REPLY_HOURS` after
 * the campaign's message arrived, unless it quotes another message; the last campaign that arrived gets it.
 *
 * - Campaigns and the API campaigns of a day count. Tests and templates that are sent from chats neither have replies nor end
 *   the time of a campaign.
 * - A message has arrived at the earliest time that a delivered or read status names. Without either it has not arrived, unless
 *   its recipient quotes it.
 * - A message that quotes the campaign's own message, or presses its button, is a reply to that campaign whichever arrived last.
 *   One that quotes anything else is no reply; the next one may be.
 * - Reactions, edits and notes of WhatsApp are no messages. Opt-out words are.
 *
 * Statuses and messages come in any order. Each message and each arrival writes a check, and a check has all replies computed
 * again that it may change, from the stored times alone. So the order of webhooks does not change the result.
 */

/** Chats of one transaction. */
const CHUNK_SIZE = 500
/** Chunks of an account in one run, so that no account waits for all of another's. */
const MAX_CHUNKS = 10

/** Has the replies of these chats attributed again, each from the time of its message on. */
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

/** Has the replies of recipients attributed again who had written by the time that their arrival became known. */
export async function checkArrivals(sql: Sql, accountId: AccountId, arrivals: readonly Arrival[]): Promise<void> {
	const checks = await queries.insertArrivalChecks(sql, accountId, arrivals)
	if (checks > 0) publish(sql, repliesChannel, accountId)
}

/** Attributes the replies of all chats with a check that is due. Returns how many checks it took. */
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

/** Returns each chat once, with its earliest time, in the order of the chats. */
function firstOfChats(checks: readonly queries.ReplyCheck[]): queries.ReplyCheck[] {
	const first = new Map<string, Date>()
	for (const { chat, since } of checks) {
		const known = first.get(chat)
		if (known === undefined || since < known) first.set(chat, since)
	}
	return Array.from(first, ([chat, since]) => ({ chat, since })).toSorted((a, b) => (a.chat < b.chat ? -1 : 1))
}
