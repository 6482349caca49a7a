import * as auth from '#features/auth/server/retention/retention-queries.ts'
import * as chats from '#features/chats/server/retention-queries.ts'
import { deleteUnusedConsents } from '#features/contacts/server/contacts/consent-queries.ts'
import { deleteOld as deleteOldNotes } from '#features/customers/server/service.ts'
import { cancelOldDrafts } from '#features/delivery/server/orders/order-queries.ts'
import { deleteOldDays } from '#features/developer/server/keys/day-limit-queries.ts'
import { deleteOldRequests } from '#features/developer/server/orders/request-queries.ts'
import { deleteOldTestCampaigns } from '#features/developer/server/test-keys/test-campaign-queries.ts'
import { deleteOldTestMessages } from '#features/developer/server/test-keys/test-message-queries.ts'
import { deleteOldDeliveries } from '#features/events/server/delivery-queries.ts'
import { deleteUnwanted } from '#features/events/server/waiting-queries.ts'
import { SET_DAYS } from '#features/header-files/rules.ts'
import { deleteOld as deleteOldFiles } from '#features/header-files/server/service.ts'
import { deleteOldNotifications } from '#features/notifications/server/queries.ts'
import { deleteOldDeadLetters } from '#features/whatsapp/server/delivery-queries.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import {
	forEachAccount,
	inChunks,
	listAccountsAllAccounts,
	type OldRows,
	type SweepContext,
} from '#lib/server/db/all-accounts.ts'
import type { Env } from '../env.ts'

/** Rows per transaction, which bounds how long locks are held. */
const CHUNK_ROWS = 2000

interface RetentionClass<Delete> {
	/** Name in the log. */
	name: string
	/** Retention as a PostgreSQL interval; null means forever. */
	keep: string | null
	/** Deletes one chunk and returns the number of rows; called again until it returns 0. */
	delete: Delete
}

type OfAccount = RetentionClass<(db: Db, accountId: AccountId, old: OldRows) => Promise<number>>
type OfAll = RetentionClass<(db: Db, old: OldRows) => Promise<number>>

const months = (count: number) => (count === 0 ? null : `${count} months`)
const days = (count: number) => (count === 0 ? null : `${count} days`)

/**
 * Returns the retention classes of an account's data. Campaign messages are deleted by whole months: see
 * `delivery/server/months/months.ts`.
 */
export function classesOfAccounts(env: Env): OfAccount[] {
	const keepChats = months(env.KEEP_CHATS_MONTHS)
	return [
		{ name: 'chat messages', keep: keepChats, delete: chats.deleteOldMessages },
		{ name: 'marks of chat messages', keep: keepChats, delete: chats.deleteOldMarks },
		{ name: 'chats', keep: keepChats, delete: chats.deleteOldChats },
		{ name: 'notes about customers', keep: keepChats, delete: deleteOldNotes },
		{ name: 'notifications', keep: days(env.KEEP_NOTIFICATIONS_DAYS), delete: deleteOldNotifications },
		{ name: 'dead letters', keep: days(env.KEEP_DELIVERIES_DAYS), delete: deleteOldDeadLetters },
		{ name: 'sign-ins', keep: days(env.KEEP_SIGN_INS_DAYS), delete: auth.deleteOldSignIns },
		{ name: 'activity', keep: months(env.KEEP_AUDIT_MONTHS), delete: auth.deleteOldWork },
	]
}

/** Deletes consents of any age once no contact has them. */
const UNUSED_CONSENTS: OfAccount = {
	name: 'consents of deleted contacts',
	keep: '0 days',
	delete: (db, accountId, { limit }) =>
		transaction(db, (sql) => deleteUnusedConsents(sql, accountId, { ids: null, limit })),
}

/** Cancels campaigns that were never started. Their rows are deleted with the month of their messages. */
const DRAFTS: OfAccount = { name: 'campaigns that were never started', keep: '7 days', delete: cancelOldDrafts }

/** Header files of file sets. They contain personal data. */
const PERSON_FILES: OfAccount = {
	name: 'header files for each person',
	keep: `${SET_DAYS} days`,
	delete: deleteOldFiles,
}

/** Answers to idempotent requests, retained for the day in which a program may repeat a request. */
const ANSWERS: OfAccount = { name: 'answers to programs', keep: '1 day', delete: deleteOldRequests }

const TESTS: OfAccount = { name: 'messages of test keys', keep: '1 day', delete: deleteOldTestMessages }
/** Deletes campaigns of test keys after their messages. */
const TEST_CAMPAIGNS: OfAccount = { name: 'campaigns of test keys', keep: '1 day', delete: deleteOldTestCampaigns }
const KEY_DAYS: OfAccount = { name: 'spending of API keys by day', keep: '7 days', delete: deleteOldDays }

/** Webhook deliveries. An event can be resent after three days of attempts, or after its address was off for days. */
const SENT_EVENTS: OfAccount = { name: 'deliveries to webhooks', keep: '7 days', delete: deleteOldDeliveries }
const UNWANTED_EVENTS: OfAccount = { name: 'events that no webhook wants', keep: '7 days', delete: deleteUnwanted }

/** Returns the retention classes of data about users and admins, in tables over all accounts. */
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

/** Deletes data beyond its retention, class by class, and logs the number of rows of each. */
export async function deleteOldRows(context: RetentionContext): Promise<void> {
	const { db, env } = context
	const accounts = await listAccountsAllAccounts(db)
	for (const each of [
		...classesOfAccounts(env),
		UNUSED_CONSENTS,
		ANSWERS,
		KEY_DAYS,
		TESTS,
		TEST_CAMPAIGNS,
		DRAFTS,
		PERSON_FILES,
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
 * Copies each campaign message's outcome to the chat message that references it. Call before dropping the month's
 * messages.
 */
export async function copyOutcomes(
	db: Db,
	accountId: AccountId,
	ids: { firstId: number; endId: number },
): Promise<void> {
	await inChunks({}, () => chats.copyOutcomes(db, accountId, { ...ids, limit: CHUNK_ROWS }))
}
