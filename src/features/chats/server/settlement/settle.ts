import { advances } from '#features/campaigns/rules.ts'
import { addToTotals } from '#features/campaigns/server/service.ts'
import type { ChatMessageStatus } from '#features/chats/contract.ts'
import { openRefunds } from '#features/wallet/server/service.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { moveMoney } from './money.ts'
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
	/** Whether a webhook says so, which whoever knows the app secret can write. */
	isReport?: boolean
}

/**
 * Settles messages of chats: their rows and the wallet, in the caller's transaction. The only way the status of one ever
 * changes. Idempotent, and the same in whatever order and batches the updates come. Locks messages before the wallet.
 * Returns the latest time of sending among the messages that the updates are about.
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
	// Locked before anything is posted: what may be given back must not change meanwhile. Free messages lock no wallet.
	const isPriced = stored.some(({ pricePaise }) => pricePaise > 0)
	const isAsked = isPriced && [...updates, ...stored].some(({ status }) => status === 'failed')
	const refunds = isAsked ? await openRefunds(sql, owner, [0]) : null
	let spentPaise = 0
	let isWalletMoved = false
	for (const update of updates) {
		const was = current.get(update.id)
		if (!was || !advances(was, update)) continue
		const now = advance(was, update)
		const moved = await moveMoney(sql, owner, { was, now, isReport: update.isReport ?? false, refunds })
		isWalletMoved ||= was.pricePaise > 0
		spentPaise += moved.spentPaise
		const next = { ...now, pricePaise: moved.pricePaise }
		current.set(update.id, next)
		changed.set(update.id, next)
	}
	const latestMs = Math.max(0, ...Array.from(current.values(), ({ sentAt }) => sentAt?.getTime() ?? 0))
	const latestSentAt = latestMs > 0 ? new Date(latestMs) : null
	if (changed.size === 0) return { latestSentAt }
	await queries.writeMessages(sql, owner, [...changed.values()])
	await refunds?.save(sql, owner)
	const day = { sent: 0, delivered: 0, read: 0, failed: 0, spentPaise, ...refunds?.given }
	if (spentPaise !== 0 || day.refundedCount) await addToTotals(sql, owner, { blocks: [], minutes: [], day })
	for (const chat of new Set(Array.from(changed.values(), (message) => message.chat)))
		announceLive(sql, owner, { kind: 'chat', id: chat })
	if (isWalletMoved) announceLive(sql, owner, { kind: 'wallet' })
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
