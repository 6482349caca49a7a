import * as auth from '#features/auth/server/retention/retention-queries.ts'
import { cancelOldDrafts } from '#features/campaigns/server/creation/list-queries.ts'
import * as chats from '#features/chats/server/retention-queries.ts'
import { deleteUnusedConsents } from '#features/contacts/server/contacts/consent-queries.ts'
import { deleteOldDays } from '#features/developer/server/keys/day-limit-queries.ts'
import { deleteOldRequests } from '#features/developer/server/orders/request-queries.ts'
import { deleteOldTestMessages } from '#features/developer/server/v1/test-message-queries.ts'
import { deleteOldDeliveries } from '#features/developer/server/webhooks/delivery-queries.ts'
import { deleteUnwanted } from '#features/developer/server/webhooks/waiting-queries.ts'
import { deleteOldNotifications } from '#features/notifications/server/queries.ts'
import { deleteOldKeptDeliveries } from '#features/whatsapp/server/delivery-queries.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import {
	forEachAccount,
	inChunks,
	listAccountsAllAccounts,
	type OldRows,
	type SweepContext,
} from '#lib/server/db/all-accounts.ts'
import type { Env } from './env.ts'

/** Rows that one transaction deletes at most, so that none holds its locks for long. */
const CHUNK_ROWS = 2000

interface RetentionClass<Delete> {
	/** For the log. */
	name: string
	/** The age that rows reach; null for ever. */
	keep: string | null
	/** Deletes one chunk. Returns how many rows went; called again until it is 0. */
	delete: Delete
}

type OfAccount = RetentionClass<(db: Db, accountId: AccountId, old: OldRows) => Promise<number>>
type OfAll = RetentionClass<(db: Db, old: OldRows) => Promise<number>>

const months = (count: number) => (count === 0 ? null : `${count} months`)
const days = (count: number) => (count === 0 ? null : `${count} days`)

/** What belongs to an account. Messages of campaigns go by whole months: `campaigns/server/months`. */
export function classesOfAccounts(env: Env): OfAccount[] {
	const keepChats = months(env.KEEP_CHATS_MONTHS)
	return [
		{ name: 'chat messages', keep: keepChats, delete: chats.deleteOldMessages },
		{ name: 'marks of chat messages', keep: keepChats, delete: chats.deleteOldMarks },
		{ name: 'chats', keep: keepChats, delete: chats.deleteOldChats },
		{ name: 'notifications', keep: days(env.KEEP_NOTIFICATIONS_DAYS), delete: deleteOldNotifications },
		{ name: 'kept webhook deliveries', keep: days(env.KEEP_DELIVERIES_DAYS), delete: deleteOldKeptDeliveries },
		{ name: 'sign-ins', keep: days(env.KEEP_SIGN_INS_DAYS), delete: auth.deleteOldSignIns },
	]
}

/** Whatever their age: they go with the last contact that gave them. */
const UNUSED_CONSENTS: OfAccount = {
	name: 'consents of deleted contacts',
	keep: '0 days',
	delete: (db, accountId, { limit }) =>
		transaction(db, (sql) => deleteUnusedConsents(sql, accountId, { ids: null, limit })),
}

/** They are cancelled; deleting them is for their month. */
const DRAFTS: OfAccount = { name: 'campaigns that were never started', keep: '7 days', delete: cancelOldDrafts }

/** A program may repeat a request for so long. */
const ANSWERS: OfAccount = { name: 'answers to programs', keep: '1 day', delete: deleteOldRequests }

const TESTS: OfAccount = { name: 'messages of test keys', keep: '1 day', delete: deleteOldTestMessages }
const KEY_DAYS: OfAccount = { name: 'what keys spent by day', keep: '7 days', delete: deleteOldDays }

/** Long enough to be sent again after the three days of attempts, and for what waits when its address is switched off. */
const SENT_EVENTS: OfAccount = { name: 'deliveries to webhooks', keep: '7 days', delete: deleteOldDeliveries }
const UNWANTED_EVENTS: OfAccount = { name: 'events that no webhook wants', keep: '7 days', delete: deleteUnwanted }

/** What people and admins leave, in tables of all accounts. */
function classesOfAll(env: Env): OfAll[] {
	const keepSignIns = days(env.KEEP_SIGN_INS_DAYS)
	return [
		{ name: 'sessions', keep: keepSignIns, delete: auth.deleteOldSessionsAllAccounts },
		{ name: 'password resets', keep: keepSignIns, delete: auth.deleteOldResetsAllAccounts },
		{ name: 'changes of email', keep: keepSignIns, delete: auth.deleteOldEmailChangesAllAccounts },
		{ name: 'audit trail', keep: months(env.KEEP_AUDIT_MONTHS), delete: auth.deleteOldActionsAllAccounts },
	]
}

type RetentionContext = SweepContext & { env: Env }

/** Deletes what has been kept for long enough, class by class, and logs how much of each. */
export async function deleteOldRows(context: RetentionContext): Promise<void> {
	const { db, env } = context
	const accounts = await listAccountsAllAccounts(db)
	for (const each of [
		...classesOfAccounts(env),
		UNUSED_CONSENTS,
		ANSWERS,
		KEY_DAYS,
		TESTS,
		DRAFTS,
		SENT_EVENTS,
		UNWANTED_EVENTS,
	]) {
		await runClass(context, each, (old) =>
			forEachAccount(context, accounts, (accountId) => inChunks(context, () => each.delete(db, accountId, old))),
		)
	}
	for (const each of classesOfAll(env))
		await runClass(context, each, (old) => inChunks(context, () => each.delete(db, old)))
}

async function runClass(
	{ log, signal }: RetentionContext,
	{ name, keep }: RetentionClass<unknown>,
	work: (old: OldRows) => Promise<number>,
): Promise<void> {
	if (keep === null || signal?.aborted) return
	try {
		const rows = await work({ age: keep, limit: CHUNK_ROWS })
		if (rows > 0) log.info({ class: name, rows, keep }, 'old rows were deleted')
	} catch (error) {
		log.error({ error, class: name }, 'old rows could not be deleted')
	}
}

/**
 * Gives messages of chats that are templates the outcome of their campaigns' messages, before these are removed with the rest
 * of their month.
 */
export async function keepOutcomes(
	db: Db,
	accountId: AccountId,
	ids: { firstId: number; endId: number },
): Promise<void> {
	await inChunks({}, () => chats.copyOutcomes(db, accountId, { ...ids, limit: CHUNK_ROWS }))
}
