import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAdminAction } from '#features/auth/server/service.ts'
import { transaction } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { untilLocked } from '#test/until.ts'
import { readEnv } from '../env.ts'
import { classesOfAccounts, deleteOldRows } from './retention.ts'

const app = await launchTestApp()

const errors: object[] = []
const logged: object[] = []
function context(variables: Record<string, string> = {}) {
	const { db, log, env } = app.context
	const noted = Object.assign(Object.create(log) as Log, {
		error: (facts: object) => errors.push(facts),
		info: (facts: object) => logged.push(facts),
	})
	const SECRET_KEY = env.SECRET_KEY.toString('base64')
	return { db, log: noted, env: { ...env, ...pickKeep(readEnv({ SECRET_KEY, ...variables })) } }
}

const pickKeep = (env: object) => Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('KEEP_')))

/**
 * For each table: a function that inserts a row of an age such as `89 days`, an age at which rows are retained, and an age at
 * which they are deleted.
 */
const TABLES: Record<
	string,
	{ young: string; old: string; add(person: TestAccount, age: string): PromiseLike<unknown> }
> = {
	chat_messages: {
		young: '23 months',
		old: '24 months 1 day',
		add: ({ accountId }, age) => app.context.db`
				insert into chat_messages (account_id, chat, direction, kind, status, body, at)
				values (${accountId}, '919800000001', 'in', 'text', 'delivered', '{"text":"Hello"}', now() - ${age}::interval)
			`,
	},
	chat_marks: {
		young: '23 months',
		old: '24 months 1 day',
		add: ({ accountId }, age) => app.context.db`
				insert into chat_marks (account_id, target_wamid, kind, is_own, chat, value, at, wamid)
				values (${accountId}, 'wamid.' || ${age}, 'edit', false, '919800000001', 'Hallo', now() - ${age}::interval, '')
			`,
	},
	chats: {
		young: '23 months',
		old: '24 months 1 day',
		add: ({ accountId }, age) => app.context.db`
				insert into chats (account_id, key, last_line, last_at)
				values (${accountId}, ${age}, 'Hello', now() - ${age}::interval)
			`,
	},
	customer_notes: {
		young: '23 months',
		old: '24 months 1 day',
		add: ({ accountId }, age) => app.context.db`
				insert into customer_notes (account_id, customer, text, created_at)
				values (${accountId}, '919800000001', 'Pays late', now() - ${age}::interval)
			`,
	},
	notifications: {
		young: '89 days',
		old: '91 days',
		add: ({ accountId }, age) => app.context.db`
				insert into notifications (account_id, text, created_at) values (${accountId}, 'Hello', now() - ${age}::interval)
			`,
	},
	webhook_deliveries: {
		young: '29 days',
		old: '31 days',
		add: ({ accountId }, age) => app.context.db`
				insert into webhook_deliveries (account_id, body, kept_because, received_at)
				values (${accountId}, '{}', 'not understood: x', now() - ${age}::interval)
			`,
	},
	sign_ins: {
		young: '89 days',
		old: '91 days',
		add: ({ accountId }, age) => app.context.db`
				insert into sign_ins (account_id, outcome, user_agent, signed_in_at)
				values (${accountId}, 'signed-in', '', now() - ${age}::interval)
			`,
	},
	account_actions: {
		young: '95 months',
		old: '96 months 1 day',
		add: ({ accountId, userId }, age) => app.context.db`
				insert into account_actions (account_id, actor_id, actor_name, action, created_at)
				values (${accountId}, ${userId}, 'Asha', 'contacts-exported', now() - ${age}::interval)
			`,
	},
	sessions: {
		young: '89 days',
		old: '91 days',
		add: ({ userId }, age) => app.context.db`
				insert into sessions (token_hash, user_id, expires_at)
				values (sha256(convert_to(${userId} || ${age}, 'UTF8')), ${userId}, now() - ${age}::interval)
			`,
	},
	password_resets: {
		young: '89 days',
		old: '91 days',
		add: ({ userId }, age) => app.context.db`
				insert into password_resets (token_hash, user_id, expires_at)
				values (sha256(convert_to(${userId} || ${age}, 'UTF8')), ${userId}, now() - ${age}::interval)
			`,
	},
	email_changes: {
		young: '89 days',
		old: '91 days',
		add: ({ userId }, age) => app.context.db`
				insert into email_changes (token_hash, user_id, new_email, created_at)
				values (sha256(convert_to(${userId} || ${age}, 'UTF8')), ${userId}, 'a@example.com', now() - ${age}::interval)
			`,
	},
	admin_actions: {
		young: '95 months',
		old: '96 months 1 day',
		add: ({ userId }, age) => app.context.db`
				insert into admin_actions (actor_id, actor_name, actor_email, action, created_at)
				values (${userId}, 'Boss', 'boss@example.com', 'user-edited', now() - ${age}::interval)
			`,
	},
}

async function countOf(table: string, { accountId, userId }: TestAccount): Promise<number> {
	const columns = await app.context
		.db`select 1 from pg_attribute where attrelid = ${table}::regclass and attname = 'account_id'`
	const key = columns.length > 0 ? 'account_id' : table === 'admin_actions' ? 'actor_id' : 'user_id'
	const [row] = await app.context.db.unsafe(`select count(*)::int as rows from ${table} where ${key} = $1`, [
		key === 'account_id' ? accountId : userId,
	])
	return Number(row?.rows)
}

// Shared by all tables, because deleteOldRows reads every class of every account.
const [owner, stranger] = [await account(app.context), await account(app.context)]

for (const [table, { young, old, add }] of Object.entries(TABLES)) {
	test(`deleteOldRows keeps rows of ${table} at ${young} and deletes them at ${old}, also when repeated`, async () => {
		const counted = [await countOf(table, owner), await countOf(table, stranger)]
		for (const age of [young, old]) await add(owner, age)
		await add(stranger, young)
		for (let time = 0; time < 2; time++) {
			await deleteOldRows(context())
			const left = [await countOf(table, owner), await countOf(table, stranger)]
			assert.deepEqual(
				left,
				counted.map((rows) => rows + 1),
			)
		}
		assert.deepEqual(errors, [])
	})

	test(`deleteOldRows keeps rows of ${table} forever with a retention of 0`, async () => {
		const counted = await countOf(table, owner)
		await add(owner, old)
		const names = ['CHATS_MONTHS', 'NOTIFICATIONS_DAYS', 'DELIVERIES_DAYS', 'SIGN_INS_DAYS', 'AUDIT_MONTHS']
		await deleteOldRows(context(Object.fromEntries(names.map((name) => [`KEEP_${name}`, '0']))))
		assert.equal(await countOf(table, owner), counted + 1)
	})
}

test('each retention class deletes rows of the given account only', async () => {
	const [person, other] = [await account(app.context), await account(app.context)]
	const classes = classesOfAccounts(app.context.env)
	const tables = Object.entries(TABLES).slice(0, classes.length)
	for (const each of [person, other]) for (const [, { old, add }] of tables) await add(each, old)
	const countsOf = (each: TestAccount) => Promise.all(tables.map(([table]) => countOf(table, each)))
	const counted = await countsOf(other)
	for (const { keep, delete: deleteChunk } of classes)
		assert.equal(await deleteChunk(app.context.db, person.accountId, { age: keep ?? '', limit: 10 }), 1)
	assert.deepEqual(await countsOf(other), counted)
	await deleteOldRows(context())
})

test('deleteOldRows deletes in several chunks, and logs the number of rows per class', async () => {
	const person = await account(app.context)
	const counted = await countOf('notifications', person)
	await app.context.db`
		insert into notifications (account_id, text, created_at)
		select ${person.accountId}, 'Hello', now() - interval '1 year' from generate_series(1, 4001)
	`
	logged.length = 0
	await deleteOldRows(context())
	assert.equal(await countOf('notifications', person), counted)
	assert.deepEqual(logged, [{ class: 'notifications', rows: 4001, keep: '90 days' }])
})

test('a chat is retained while one of its messages is', async () => {
	const person = await account(app.context)
	await TABLES.chat_messages?.add(person, '23 months')
	await app.context.db`
		insert into chats (account_id, key, last_at) values (${person.accountId}, '919800000001', now() - interval '25 months')
	`
	await deleteOldRows(context())
	assert.equal(await countOf('chats', person), 1)
})

test('an old chat is retained when a concurrent message makes it new', async () => {
	const { db } = app.context
	const person = await account(app.context)
	await TABLES.chats?.add(person, '25 months')
	let deletion = Promise.resolve()
	await transaction(db, async (sql) => {
		await sql`update chats set last_at = now() where account_id = ${person.accountId}`
		deletion = deleteOldRows(context())
		await untilLocked(db)
	})
	await deletion
	assert.equal(await countOf('chats', person), 1)
})

test('a pending inbound webhook is never deleted, whatever its age', async () => {
	const person = await account(app.context)
	await app.context.db`
		insert into webhook_deliveries (account_id, body, received_at) values (${person.accountId}, '{}', now() - interval '1 year')
	`
	await deleteOldRows(context())
	assert.equal(await countOf('webhook_deliveries', person), 1)
	await app.context.db`delete from webhook_deliveries where account_id = ${person.accountId}`
})

test('the audit trail keeps all rows of the last year, against any statement and any setting', async () => {
	const { db } = app.context
	const person = await account(app.context)
	await recordAdminAction(
		db,
		{ adminId: Number(person.userId), ip: '192.0.2.1' },
		{
			action: 'user-edited',
			subjectId: Number(person.userId),
			details: 'name',
		},
	)
	await TABLES.admin_actions?.add(person, '2 years')
	await assert.rejects(async () => await db`delete from admin_actions where actor_id = ${person.userId}`, /append-only/)
	await assert.rejects(async () => await db`truncate admin_actions`, /append-only/)
	await assert.rejects(
		transaction(db, async (sql) => {
			await sql.unsafe(`set local audit.retention = 'on'`)
			await sql`delete from admin_actions where actor_id = ${person.userId}`
		}),
		/append-only/,
	)
	assert.throws(() => context({ KEEP_AUDIT_MONTHS: '11' }), /KEEP_AUDIT_MONTHS: must be 12 or more, or 0 for ever/)
	await deleteOldRows(context({ KEEP_AUDIT_MONTHS: '12' }))
	const rows = await db`select details from admin_actions where actor_id = ${person.userId}`
	assert.deepEqual([...rows], [{ details: 'name' }])
	await assert.rejects(async () => await db`update admin_actions set details = '' where actor_id = ${person.userId}`)
	for (const change of [
		`action = 'user-deleted'`,
		'created_at = now()',
		'subject_id = null',
		'actor_id = 1 + actor_id',
	])
		await assert.rejects(
			transaction(db, async (sql) => {
				await sql.unsafe(`set local audit.erasure = 'on'`)
				await sql.unsafe(`update admin_actions set ${change} where actor_id = ${person.userId}`)
			}),
			/append-only/,
		)
})
