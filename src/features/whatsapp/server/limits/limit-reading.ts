import { type Db, type AccountId, type Sql, transaction } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { handlerOf } from '#lib/server/jobs/jobs.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { UNKNOWN_LIMITS, type SenderLimits } from '../../rules.ts'
import { GraphError, type CloudApi } from '../graph-client.ts'
import { getSender, readLimitsJob } from '../service.ts'
import { findLimits, lockLimits, updateLimits } from './limit-queries.ts'
import { getLimits, paceOf } from './limits.ts'

/**
 * Reacts to new limits of a sender in the transaction that writes them and has locked the sender. The app supplies it,
 * since a later feature owns campaigns.
 */
export type OnLimitsRead = (
	sql: Sql,
	accountId: AccountId,
	reading: { before: SenderLimits; after: SenderLimits },
) => Promise<void>

export interface LimitContext {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	onLimitsRead: OnLimitsRead
}

/** Returns the handler of requested readings. A request that a later reading has answered causes none. */
export const limitHandlers = (context: LimitContext) => [
	handlerOf(readLimitsJob, async ({ data: { accountId, at } }) => {
		const known = await findLimits(context.db, accountId)
		if (!known || (known.readAt !== null && known.readAt > new Date(at))) return
		await readLimits(context, accountId).catch(ignoreRefusal)
	}),
]

/** Ignores a refused token: sending stops with its reason, and saving another token reads the limits. */
function ignoreRefusal(error: unknown): void {
	const isRefused = error instanceof GraphError && error.status < 500 && error.fault?.code === 190
	if (!isRefused) throw error
}

/**
 * Reads the limits of an account's sender from Meta and writes them. Does nothing without usable credentials; rejects
 * when Meta does not answer or refuses the token.
 */
export async function readLimits(context: LimitContext, accountId: AccountId): Promise<void> {
	const { db, vault, cloudApi } = context
	const sender = await getSender(db, vault, accountId)
	if (!sender || sender.accessToken === '') return
	const readAt = await getNow(db)
	const limits = await getLimits(cloudApi, sender)
	await transaction(db, (sql) =>
		applyLimits(sql, accountId, { limits, readAt, of: sender, onLimitsRead: context.onLimitsRead }),
	)
}

interface Reading {
	limits: SenderLimits
	/** Time of the database before the reading began. */
	readAt: Date
	/** The number and business account that were read. */
	of: { phoneNumberId: string; wabaId: string }
	onLimitsRead: OnLimitsRead
}

/** Writes limits and the pace that follows from them, unless a later reading or another number was stored meanwhile. */
export async function applyLimits(
	sql: Sql,
	accountId: AccountId,
	{ limits, readAt, of, onLimitsRead }: Reading,
): Promise<void> {
	const stored = await lockLimits(sql, accountId, of)
	if (!stored || (stored.readAt !== null && stored.readAt > readAt)) return
	const isPaceKnown = limits.throughputLevel !== null || limits.isOnPhoneApp === true
	const messagesPerSecond = isPaceKnown ? paceOf(limits) : null
	await updateLimits(sql, accountId, { limits, readAt, messagesPerSecond })
	await onLimitsRead(sql, accountId, { before: stored, after: limits })
	announceLive(sql, accountId, { kind: 'sender' })
}

/** Forgets the limits of a number that another one replaces. */
export async function forgetLimits(sql: Sql, accountId: AccountId): Promise<void> {
	await updateLimits(sql, accountId, { limits: UNKNOWN_LIMITS, readAt: null, messagesPerSecond: null })
}
