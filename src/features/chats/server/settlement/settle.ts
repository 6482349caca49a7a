import { advances, arrivalOf } from '#features/delivery/rules.ts'
import {
	changedState,
	latestSentAt,
	type StatusChange,
	type StatusUpdate,
} from '#features/delivery/server/message/status-update.ts'
import { nextUsage, usageChanges, type UsageChange } from '#features/delivery/server/settlement/usage.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { moveDueMoney, recordUpdates } from '../charges/charges.ts'
import * as queries from './settle-queries.ts'
import type { StoredMessage } from './settle-queries.ts'

/** New status of one outgoing message. */
export interface ChatUpdate extends StatusChange, Pick<StatusUpdate, 'pricing'> {
	id: number
}

export interface SettledChats {
	/** The latest sending time of the messages that the updates concern; null when none was sent. */
	latestSentAt: Date | null
	/**
	 * The change of usage, which only updates of Meta's cause. The caller adds it after the account's campaign messages are
	 * locked, because the counts of usage are locked last.
	 */
	usage: UsageChange[]
	/** True when the money of replies has to move: see `recordUpdates`. */
	isMoneyDue: boolean
}

/**
 * Settles chat messages other than templates, in the caller's transaction; no other code changes their status. Idempotent, with
 * the same result for any order and batches of updates.
 */
export async function settleChats(
	sql: Sql,
	accountId: AccountId,
	updates: readonly ChatUpdate[],
): Promise<SettledChats> {
	const stored = await queries.lockMessages(
		sql,
		accountId,
		updates.map(({ id }) => id),
	)
	const current = new Map(stored.map((message) => [message.id, message]))
	const changed = new Map<number, StoredMessage>()
	for (const update of updates) {
		const was = current.get(update.id)
		if (!was) continue
		const isAdvance = advances(was, update)
		const arrivedAt = arrivalOf(isAdvance ? update : was, { known: was.arrivedAt, update })
		const isArriving =
			was.arrivedAt === null && arrivedAt !== null && was.status !== 'delivered' && was.status !== 'read'
		const usage = nextUsage(was.usage, update, { recipient: was.chat, category: 'service', isArriving })
		if (!isAdvance && arrivedAt === was.arrivedAt && usage === was.usage) continue
		const advance = isAdvance ? { ...changedState(was, update), wamid: was.wamid ?? update.wamid } : {}
		const next = { ...was, ...advance, arrivedAt, usage }
		current.set(update.id, next)
		changed.set(update.id, next)
	}
	if (changed.size > 0) await queries.writeMessages(sql, accountId, [...changed.values()])
	for (const chat of new Set(Array.from(changed.values(), (message) => message.chat)))
		announceLive(sql, accountId, { kind: 'chat', id: chat })
	// A deleted message may have had a price. Its charge remains.
	const paid = updates.filter(({ id }) => current.get(id)?.isPaid ?? true)
	return {
		latestSentAt: latestSentAt([...current.values()]),
		usage: usageChanges(stored.map((was) => ({ was, now: current.get(was.id) ?? was }))),
		isMoneyDue: paid.length > 0 && (await recordUpdates(sql, accountId, paid)),
	}
}

/**
 * Settles chat messages and moves their money, in a transaction that does nothing else. Only updates of Meta's cause usage, so
 * these updates cause none.
 */
export async function settleChatsAlone(sql: Sql, accountId: AccountId, updates: readonly ChatUpdate[]): Promise<void> {
	const { isMoneyDue } = await settleChats(sql, accountId, updates)
	if (isMoneyDue) await moveDueMoney(sql, accountId)
}
