import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifications } from '#features/notifications/contract.ts'
import { transaction, type Db, type Sql } from '#lib/server/db.ts'
import { isDistributed } from '#lib/server/db/schema/distribute.ts'
import { account, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { wallet } from '../contract.ts'
import { countRecharges, listRecharges } from './queries.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

const recharge = (userId: string, body: { amount: number | string; notes?: string; requestId?: string }) =>
	app.call(wallet.recharge, { params: { userId }, body }, admin)
const balanceOf = async (person: TestAccount) => (await app.call(wallet.balance, {}, person)).body.walletBalance
const notesOf = async (person: TestAccount) =>
	(await app.call(notifications.list, {}, person)).body.notifications.map((note) => note.text)

test('wallet.recharge changes the balance, adds to the history and notifies the user', async () => {
	const person = await account(app.context)
	const { status, body } = await recharge(person.userId, { amount: '1234.50', notes: ' Cheque 17 ' })
	assert.deepEqual([status, body], [200, { newBalance: 1234.5, message: 'Recharge added successfully' }])
	assert.equal(await balanceOf(person), 1234.5)
	const { body: history } = await app.call(wallet.history, { params: { userId: person.userId } }, person)
	assert.equal(history.length, 1)
	assert.deepEqual(
		{ ...history[0], _id: '', transactionDate: '' },
		{ _id: '', transactionDate: '', amount: 1234.5, notes: 'Cheque 17', admin: { name: admin.name } },
	)
	assert.equal((await notesOf(person))[0], 'Your wallet was recharged with ₹1,234.50')
})

/** Inserts `count` recharges with receipts, and ten other entries for each. */
async function insertRecharges(db: Db, { accountId, name, email }: TestAccount, count: number) {
	await db`
		with written as (
			insert into ledger_entries (
				account_id, kind, reference, available_change_paise, held_change_paise, available_after_paise, held_after_paise
			)
			select ${accountId}, case when n % 11 = 0 then 'recharge' else 'capture' end, 'entry:' || n, 100, 0, n, 0
			from generate_series(0, ${count}::int * 11 - 1) n
			order by n
			returning id, kind
		)
		insert into receipts (account_id, entry_id, number, payer_name, payer_email)
		select ${accountId}, id, row_number() over (order by id), ${name}, ${email} from written where kind = 'recharge'
	`
}

test('wallet.history returns all of 1,005 recharges, and recharges a page of them with their total', async () => {
	const person = await account(app.context)
	await insertRecharges(app.context.db, person, 1005)
	const params = { userId: person.userId }
	const { body: all } = await app.call(wallet.history, { params }, person)
	assert.equal(all.length, 1005)
	const { body } = await app.call(wallet.recharges, { params, query: { page: 101, limit: 10 } }, admin)
	assert.deepEqual([body.total, body.pages, body.transactions.length], [1005, 101, 5])
	assert.deepEqual(body.transactions, all.slice(-5))
})

/** Returns the number of ledger rows that this connection has read. */
async function entriesRead(sql: Sql): Promise<number> {
	const [row] = await sql<{ rows: number }[]>`
		select (seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows
		from pg_stat_xact_user_tables where relname = 'ledger_entries'
	`
	return row?.rows ?? 0
}

test('wallet.recharges reads a page and its total without the other ledger entries', async (t) => {
	if (await isDistributed(app.context.db)) return t.skip('a coordinator does not count what its machines read')
	const person = await account(app.context)
	await insertRecharges(app.context.db, person, 500)
	await app.context.db`analyze ledger_entries, receipts`
	const rows = await transaction(app.context.db, async (sql) => {
		const readBefore = await entriesRead(sql)
		await listRecharges(sql, person.accountId, { page: 1, limit: 10 })
		await countRecharges(sql, person.accountId)
		return (await entriesRead(sql)) - readBefore
	})
	assert.equal(rows, 10)
})

test('wallet.recharge with a repeated request id posts nothing and returns the first answer', async () => {
	const person = await account(app.context)
	const first = await recharge(person.userId, { amount: 100, requestId: 'form-opened-1' })
	await recharge(person.userId, { amount: 50 })
	const again = await recharge(person.userId, { amount: 100, requestId: 'form-opened-1' })
	assert.deepEqual([again.status, again.body], [200, first.body])
	assert.equal(await balanceOf(person), 150)
})

test('wallet.recharge posts once and notifies the user once for twenty concurrent identical requests', async () => {
	const person = await account(app.context)
	await recharge(person.userId, { amount: 5000, requestId: 'lost-answer' })
	const { status, body } = await recharge(person.userId, { amount: 3000, requestId: 'lost-answer' })
	assert.deepEqual(
		[status, body.message],
		[409, 'This form has already added ₹5,000.00. Close it and check the balance before you add more.'],
	)
	assert.equal(await balanceOf(person), 5000)
})

test('wallet.recharge of twenty different amounts at once adds up to their sum', async () => {
	const person = await account(app.context)
	const body = { amount: 75.25, requestId: 'double-click' }
	const answers = await Promise.all(Array.from({ length: 20 }, () => recharge(person.userId, body)))
	assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
	assert.deepEqual(new Set(answers.map((answer) => answer.body.newBalance)), new Set([75.25]))
	assert.equal(await balanceOf(person), 75.25)
	assert.equal((await notesOf(person)).filter((text) => text.startsWith('Your wallet')).length, 1)
})

test('the balance is the sum of twenty different recharges made at once', async () => {
	const person = await account(app.context)
	await Promise.all(Array.from({ length: 20 }, () => recharge(person.userId, { amount: 0.1 })))
	assert.equal(await balanceOf(person), 2)
})

test('wallet.recharge accepts an amount without digits before or after its decimal point', async () => {
	const person = await account(app.context)
	for (const [amount, balance] of [
		['.5', 0.5],
		['2.', 2.5],
	] as const) {
		assert.equal((await recharge(person.userId, { amount })).status, 200)
		assert.equal(await balanceOf(person), balance)
	}
	assert.equal((await recharge(person.userId, { amount: '.' })).status, 400)
})

test('wallet.recharge returns 400 for amounts of 0 or less, above the maximum, with more than two decimals, or unreadable', async () => {
	const person = await account(app.context)
	const nothing = [Number.NaN, Infinity, -0, '-0', '0', '0.00']
	const refused = [0, -5, 'ten', '', '1e3', '1,000', '１２', '₹5', '0x10', '1.2.3', ...nothing]
	for (const amount of refused) {
		const { status, body } = await recharge(person.userId, { amount })
		assert.deepEqual([status, body.message], [400, 'Valid amount greater than 0 is required'], String(amount))
	}
	for (const amount of ['123456789.50', 100_000_000.01, 1e12, 1e21, '9'.repeat(30)]) {
		const { status, body } = await recharge(person.userId, { amount })
		assert.deepEqual([status, body.message], [400, 'Enter at most ₹10,00,00,000.00'], String(amount))
	}
	for (const amount of [0.005, 1.005, 0.1 + 0.2, '12.345']) {
		const { status, body } = await recharge(person.userId, { amount })
		assert.deepEqual([status, body.message], [400, 'Enter an amount with up to two decimals'], String(amount))
	}
	assert.equal(await balanceOf(person), 0)
})

test('wallet.recharge returns 404 for admins, deleted users and unknown ids', async () => {
	const gone = await account(app.context)
	await app.context.db`update users set deleted_at = now() where id = ${gone.userId}`
	for (const userId of [admin.userId, gone.userId, '999999999', '999999999999999999']) {
		const { status, body } = await recharge(userId, { amount: 10 })
		assert.deepEqual([status, body.message], [404, 'User not found'])
	}
})

test('wallet.history returns any user’s recharges to an admin, newest first, also of a deleted user', async () => {
	const person = await account(app.context)
	await recharge(person.userId, { amount: 1 })
	await recharge(person.userId, { amount: 2 })
	await app.context.db`update users set deleted_at = now() where id = ${person.userId}`
	const { body } = await app.call(wallet.history, { params: { userId: person.userId } }, admin)
	assert.deepEqual(
		body.map((row) => row.amount),
		[2, 1],
	)
})
