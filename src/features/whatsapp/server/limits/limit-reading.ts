import { UNKNOWN_LIMITS, type SenderLimits } from '#features/whatsapp/rules.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { getNow } from '#lib/server/db/now.ts'
import { addJobs, jobKind } from '#lib/server/jobs/jobs.ts'
import type { GraphAccess } from '../cloud-api.ts'
import type { CloudApi } from '../graph-client.ts'
import { lockLimits, updateLimits } from './limit-queries.ts'
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
	cloudApi: CloudApi
	onLimitsRead: OnLimitsRead
}

/** Seconds for which requests gather before the limits are read, so that a burst of webhooks causes one reading. */
const GATHER_SECONDS = 5

/** Job that reads an account's limits. `at` is the time of the request at the database, as ISO text. */
export const readLimitsJob = jobKind<{ accountId: AccountId; at: string }>('read-limits', {
	afterSeconds: GATHER_SECONDS,
	each: 1,
	maxAttempts: 12,
	maxDelaySeconds: 600,
})

/** Requests a reading of the account's limits and health, in the caller's transaction. A burst causes one reading. */
export async function requestReading(sql: Sql, accountId: AccountId): Promise<void> {
	const at = (await getNow(sql)).toISOString()
	await addJobs(sql, readLimitsJob, [{ accountId, at }])
}

/** Reads the limits of a number from Meta and writes them. Rejects when Meta does not answer or refuses the token. */
export async function readLimits(
	{ db, cloudApi, onLimitsRead }: LimitContext,
	accountId: AccountId,
	sender: GraphAccess & Reading['of'],
): Promise<void> {
	const readAt = await getNow(db)
	const limits = await getLimits(cloudApi, sender)
	await retriedTransaction(db, (sql) => applyLimits(sql, accountId, { limits, readAt, of: sender, onLimitsRead }))
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
	// An incomplete answer would otherwise grant the places of a day again, under another portfolio or none.
	const known = {
		...limits,
		portfolioId: limits.portfolioId ?? stored.portfolioId,
		messagingLimit: limits.messagingLimit ?? stored.messagingLimit,
		quality: limits.quality ?? stored.quality,
	}
	await updateLimits(sql, accountId, { limits: known, readAt, messagesPerSecond })
	await onLimitsRead(sql, accountId, { before: stored, after: known })
	announceLive(sql, accountId, { kind: 'sender' })
}

/** Forgets the limits of a number that another one replaces. */
export async function forgetLimits(sql: Sql, accountId: AccountId): Promise<void> {
	await updateLimits(sql, accountId, { limits: UNKNOWN_LIMITS, readAt: null, messagesPerSecond: null })
}
