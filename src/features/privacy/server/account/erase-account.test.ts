import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auth } from '#features/auth/contract.ts'
import { notify } from '#features/notifications/server/service.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { getWallet } from '#features/wallet/server/ledger.ts'
import { announceWaitingRefunds } from '#features/wallet/server/waiting-refunds.ts'
import { transaction } from '#lib/server/db.ts'
import { account, type TestAccount } from '#test/factories.ts'
import {
	campaignWhen,
	LATER,
	launchProduct,
	moneyFindings,
	sendingAccount,
	startCampaign,
	type Product,
} from '#test/full-stack.ts'
import { call } from '#test/http-app.ts'
import { erasureScene, type Sender } from '#test/scenes/erasure-scene.ts'
import { until } from '#test/until.ts'
import { eraseDeletedAccounts } from './erase-account.ts'
import { ERASED_TABLES } from './erased-tables.ts'

const product = await launchProduct()
const db = product.db
const scene = erasureScene(product)
const admin = await account(product.process.context, { role: 'admin', name: 'Boss Admin' })

const erase = (keepAccountDays = 90) => eraseDeletedAccounts({ ...product.process.context, keepAccountDays })
const deleteUser = async ({ userId }: TestAccount) =>
	assert.equal(
		(await call(product.process.url, users.remove, { params: { id: userId }, token: admin.token })).status,
		200,
	)
const isErased = async ({ userId }: TestAccount) => {
	const [row] = await db<{ erased: boolean }[]>`
		select erased_at is not null as erased from users where id = ${userId}
	`
	return row?.erased
}

/** Dates the deletion back by `days`, and the migrations by two years. */
async function deletedFor({ userId }: TestAccount, days: number): Promise<void> {
	await db`update schema_migrations set applied_at = now() - interval '2 years'`
	await db`update users set deleted_at = now() - make_interval(days => ${days}) where id = ${userId}`
}

/** Repeats the erasure until it is complete, while the worker's sweeps release the money of cancelled campaigns. */
const eraseUntilDone = (person: TestAccount) =>
	until(async () => {
		await erase()
		return (await isErased(person)) === true
	})

/** Creates an account with data in every table that can hold any. Returns it with the texts that identify it. */
async function knownShop(): Promise<{ sender: Sender; texts: string[] }> {
	const { sender } = await scene.knownPerson()
	const { accountId, userId } = sender
	const profile = {
		name: 'Marigold Emporium',
		email: `marigold${userId}@example.com`,
		businessName: 'Marigold Private Limited',
		businessAddress: '14 Zinnia Lane',
	}
	assert.equal((await scene.ask(sender, users.updateMe, { body: profile })).status, 200)
	const paid = await call(product.process.url, wallet.recharge, {
		params: { userId },
		body: { amount: 50, notes: 'cash from Marigold' },
		token: admin.token,
	})
	assert.equal(paid.status, 200)
	const campaignId = await startCampaign(product, sender, { ...LATER, name: 'Tulip Sale', description: 'For tulips' })
	await product.process.context.storage.put(`${accountId}/headers/tulip.txt`, Buffer.from('tulip picture'))
	await db`update campaigns set header_file = ${`${accountId}/headers/tulip.txt`} where id = ${campaignId}`
	const consents = await db<{ id: number }[]>`
		insert into consents (account_id, source, words, agreed_on) values (${accountId}, 'Daffodil form', 'I like daffodils', now())
		returning id
	`
	await db`insert into contact_groups (account_id, name) values (${accountId}, 'Orchid friends')`
	await db`update contacts set consent_id = ${consents[0]?.id ?? 0} where account_id = ${accountId}`
	await db`
		insert into webhook_deliveries (account_id, body, kept_because) values (${accountId}, ${`{"from":"${sender.number}"}`}, 'failed')
	`
	await db`insert into jobs (kind, owner_id, data, due_at) values ('x', ${accountId}, '{"a":"violet"}', now() + interval '1 day')`
	await transaction(db, (sql) => notify(sql, accountId, { text: 'Marigold was here' }))
	const [known] = await db<{ key: string; number: string }[]>`
		select webhook_key as key, phone_number_id as number from senders where account_id = ${accountId}
	`
	const texts = [
		...scene.textsOf(sender),
		profile.email,
		sender.name,
		'Marigold',
		'Zinnia',
		'Tulip',
		'tulip',
		'Daffodil',
		'daffodils',
		'Orchid',
		'violet',
		`9155${String(accountId).padStart(3, '0')}000000`,
		known?.key ?? '',
		known?.number ?? '',
	]
	return { sender, texts }
}

test('eraseDeletedAccounts leaves names, numbers and texts of the account nowhere, and its money unchanged', async () => {
	const { sender, texts } = await knownShop()
	for (const text of texts) assert.notDeepEqual(await scene.findEverywhere(text), [], text)
	const { availablePaise, heldPaise } = await getWallet(db, sender.accountId)
	assert.ok(heldPaise > 0)
	const others = await sendingAccount(product, { contacts: 2 })
	await deleteUser(sender)
	await deletedFor(sender, 91)
	await eraseUntilDone(sender)

	for (const text of texts) assert.deepEqual(await scene.findEverywhere(text), [], text)
	assert.deepEqual(await getWallet(db, sender.accountId), { availablePaise: availablePaise + heldPaise, heldPaise: 0 })
	assert.deepEqual(await moneyFindings(db), [])
	const left = await db`select 1 from contacts where account_id = ${others.accountId}`
	assert.equal(left.length, 2)
	const trail = await call(product.process.url, auth.adminActions, {
		query: { search: 'Erased', page: 1, limit: 10 },
		token: admin.token,
	})
	const [entry] = trail.body.actions
	assert.deepEqual(
		[entry?.action, entry?.actor.name, entry?.subject?.name],
		['data-erased', 'Boss Admin', 'Erased account'],
	)
	assert.match(entry?.details ?? '', new RegExp(`user ID ${sender.userId}, deleted on 20`))
})

test('eraseDeletedAccounts waits for the retention period, which begins with the migration for earlier deletions', async () => {
	const person = await account(product.process.context)
	await deleteUser(person)
	await deletedFor(person, 89)
	await erase()
	assert.equal(await isErased(person), false)
	await deletedFor(person, 91)
	await erase(0)
	assert.equal(await isErased(person), false)
	await db`update schema_migrations set applied_at = now() - interval '89 days'`
	await erase()
	assert.equal(await isErased(person), false)
	await db`update schema_migrations set applied_at = now() - interval '91 days'`
	await erase()
	assert.equal(await isErased(person), true)
})

test('eraseDeletedAccounts skips active and deactivated accounts of any age', async () => {
	const [active, inactive] = [await account(product.process.context), await account(product.process.context)]
	await db`update users set is_active = false, created_at = now() - interval '5 years' where id = ${inactive.userId}`
	await erase()
	assert.deepEqual([await isErased(active), await isErased(inactive)], [false, false])
})

test('eraseDeletedAccounts waits while an admin has refunds to decide on, and then erases the notification about them', async () => {
	const sender = await sendingAccount(product, { contacts: 1 })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, (c) => c.delivered + c.read === 1)
	await db`
		insert into waiting_refunds (account_id, campaign_id, price_paise, reason, waiting_count)
		values (${sender.accountId}, ${campaignId}, 100, 'reported', 1)
	`
	await db`update users set name = 'Begonia Traders' where id = ${sender.userId}`
	await announceWaitingRefunds(product.process.context)
	await deleteUser(sender)
	await deletedFor(sender, 91)
	await erase()
	assert.equal(await isErased(sender), false)
	assert.notDeepEqual(await scene.findEverywhere('Begonia'), [])
	await db`delete from waiting_refunds where account_id = ${sender.accountId}`
	await eraseUntilDone(sender)
	assert.deepEqual(await scene.findEverywhere('Begonia'), [])
})

test('eraseDeletedAccounts keeps an erased admin’s name in entries about actions on others', async () => {
	const leaving = await account(product.process.context, { role: 'admin', name: 'Leaving Lotus' })
	const person = await account(product.process.context)
	await call(product.process.url, users.toggleStatus, {
		params: { id: person.userId },
		body: {},
		token: leaving.token,
	})
	await deleteUser(leaving)
	await deletedFor(leaving, 91)
	await eraseUntilDone(leaving)
	assert.deepEqual(await scene.findEverywhere('Leaving Lotus'), ['admin_actions.actor_name'])
})

test('eraseDeletedAccounts resumes after a failure of the storage, and erases data that arrived in between', async () => {
	const person = await account(product.process.context)
	await deleteUser(person)
	await deletedFor(person, 91)
	const { storage } = product.process.context
	const failing = { ...storage, delete: () => Promise.reject(new Error('the store is down')) }
	await storage.put(`${person.accountId}/chats/one`, Buffer.from('one'))
	const errors: object[] = []
	const log = Object.assign(Object.create(product.process.context.log), {
		error: (facts: object) => errors.push(facts),
	}) as Product['process']['context']['log']
	await eraseDeletedAccounts({ ...product.process.context, log, storage: failing, keepAccountDays: 90 })
	assert.deepEqual([await isErased(person), errors.length], [false, 1])
	let isLate = false
	const late = {
		...storage,
		async delete(key: string) {
			await storage.delete(key)
			if (isLate) return
			isLate = true
			await storage.put(`${person.accountId}/chats/two`, Buffer.from('two'))
		},
	}
	await eraseDeletedAccounts({ ...product.process.context, storage: late, keepAccountDays: 90 })
	assert.equal(await isErased(person), true)
	assert.deepEqual(await Array.fromAsync(storage.list(String(person.accountId))), [])
})

/** Tables that keep rows of an erased account, with the reason. */
const RETAINED: Record<string, string> = {
	admin_actions: 'actions on and by the user, without names and texts',
	campaigns: 'totals and price, on which the ledger depends; without texts',
	daily_totals: 'counts and money of each day, part of the totals of the installation',
	ledger_entries: 'money',
	payments: 'money that was paid and refunded at the provider; without names',
	portfolio_messages: 'hashes of numbers, deleted a day after the last message',
	receipts: 'receipt numbers have no gaps; without the payer',
	reply_charges: 'money of replies, without their texts and recipients',
	statement_lines: 'money',
	tax_notes: 'numbers of credit and debit notes have no gaps; without names',
	uncounted_accounts: 'a mark without personal data, deleted once the messages of a day are counted',
	usage_checks: 'counts of WhatsApp, on which the comparison of costs depends',
	usage_days: 'counts of each day, on which the cost of the installation depends',
	users: 'row that other tables reference; without name, address and password',
	waiting_refunds: 'money: refused refunds remain charged',
	wallets: 'money',
}
/** Tables of users, emptied by `eraseUser`. */
const USER_TABLES = ['email_changes', 'password_resets', 'recovery_codes', 'second_factors', 'sessions']

test('each table with rows of an account is either erased or listed with a reason', async () => {
	const rows = await db<{ table: string }[]>`
		select distinct c.table_name as table
		from information_schema.columns c
		join pg_class t on t.oid = format('public.%I', c.table_name)::regclass and not t.relispartition and t.relkind in ('r', 'p')
		where c.table_schema = 'public' and c.column_name in ('account_id', 'owner_id', 'user_id', 'actor_id', 'subject_id')
		order by 1
	`
	assert.deepEqual(
		rows.map(({ table }) => table),
		[...ERASED_TABLES.map(({ table }) => table), ...Object.keys(RETAINED), ...USER_TABLES].toSorted(),
	)
})

test('the key of each erased table is unique within an account', async () => {
	for (const { table, account: of = 'account_id', key } of ERASED_TABLES) {
		const keys = await db<{ columns: string[] }[]>`
			select array(select attname::text from unnest(i.indkey::int2[]) k join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k) as columns
			from pg_index i where i.indrelid = ${table}::regclass and i.indisprimary
		`
		const named = new Set([of, ...key.split(', ')])
		assert.deepEqual(
			(keys[0]?.columns ?? []).filter((column) => !named.has(column)),
			[],
			table,
		)
	}
})
