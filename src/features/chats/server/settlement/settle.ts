import type { ChatMessageStatus } from '#features/chats/contract.ts'
import { advances } from '#features/messages/rules.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import * as queries from './settle-queries.ts'
import type { StoredMessage } from './settle-queries.ts'

/** What became of one message that we sent. */
export interface ChatUpdate {
	id: number
	status: Exclude<ChatMessageStatus, 'pending'>
	at: Date
	wamid: string | null
	errorCode: number | null
	error: string | null
}

/**
 * Settles messages of chats that cost nothing, in the caller's transaction: the only way the status of one ever changes.
 * Idempotent, and the same in whatever order and batches the updates come. Returns the latest time of sending among the
 * messages that the updates are about.
 */
export async function settleChats(
	sql: Sql,
	owner: OwnerId,
	updates: readonly ChatUpdate[],
): Promise<{ latestSentAt: Date | null }> {
	const stored = await queries.lockMessages(
		sql,
		owner,
		updates.map(({ id }) => id),
	)
	const current = new Map(stored.map((message) => [message.id, message]))
	const changed = new Map<number, StoredMessage>()
	for (const update of updates) {
		const was = current.get(update.id)
		if (!was || !advances(was, update)) continue
		const next = advance(was, update)
		current.set(update.id, next)
		changed.set(update.id, next)
	}
	const latestMs = Math.max(0, ...Array.from(current.values(), ({ sentAt }) => sentAt?.getTime() ?? 0))
	const latestSentAt = latestMs > 0 ? new Date(latestMs) : null
	if (changed.size === 0) return { latestSentAt }
	await queries.writeMessages(sql, owner, [...changed.values()])
	for (const chat of new Set(Array.from(changed.values(), (message) => message.chat)))
		announceLive(sql, owner, { kind: 'chat', id: chat })
	return { latestSentAt }
}

function advance(was: StoredMessage, update: ChatUpdate): StoredMessage {
	const isFailed = update.status === 'failed'
	return {
		...was,
		status: update.status,
		statusAt: update.at,
		sentAt: isFailed ? was.sentAt : (was.sentAt ?? update.at),
		wamid: was.wamid ?? update.wamid,
		errorCode: isFailed ? update.errorCode : null,
		error: isFailed ? update.error : null,
	}
}
