import { advances } from '#features/delivery/rules.ts'
import {
	changedState,
	latestSentAt,
	type StatusChange,
	type StatusUpdate,
} from '#features/delivery/server/message/status-update.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import * as queries from './settle-queries.ts'
import type { StoredMessage } from './settle-queries.ts'

/** New status of one outgoing message. */
export interface ChatUpdate extends StatusChange, Pick<StatusUpdate, 'pricing'> {
	id: number
}

/**
 * Settles chat messages without a price, in the caller's transaction; no other code changes their status. Idempotent,
 * with the same result for any order and batches of updates. Returns the latest sending time of the messages that the
 * updates concern; null when none was sent.
 */
export async function settleChats(
	sql: Sql,
	accountId: AccountId,
	updates: readonly ChatUpdate[],
): Promise<{ latestSentAt: Date | null }> {
	const stored = await queries.lockMessages(
		sql,
		accountId,
		updates.map(({ id }) => id),
	)
	const current = new Map(stored.map((message) => [message.id, message]))
	const changed = new Map<number, StoredMessage>()
	for (const update of updates) {
		const was = current.get(update.id)
		if (!was || !advances(was, update)) continue
		const next = { ...was, ...changedState(was, update), wamid: was.wamid ?? update.wamid }
		current.set(update.id, next)
		changed.set(update.id, next)
	}
	if (changed.size > 0) await queries.writeMessages(sql, accountId, [...changed.values()])
	for (const chat of new Set(Array.from(changed.values(), (message) => message.chat)))
		announceLive(sql, accountId, { kind: 'chat', id: chat })
	return { latestSentAt: latestSentAt([...current.values()]) }
}
