import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addUsage } from '#features/delivery/server/settlement/count-queries.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { transaction, type AccountId } from '#lib/server/db.ts'
import { account, campaignRow } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { adminDashboards } from '../admin-contract.ts'
import { margins } from '../margin-contract.ts'

const app = await launchTestApp()
const { db } = app.context
const admin = await account(app.context, { role: 'admin' })
const earner = await account(app.context, { name: 'Earner', email: 'earner@example.com', balancePaise: 100_000 })
const loser = await account(app.context, { name: 'Loser', email: 'loser@example.com' })

const row = { day: '2026-11-10', market: 'IN', category: 'marketing', type: 'regular', isEstimate: false, messages: 1 }

await transaction(db, (sql) =>
	addUsage(sql, earner.accountId, [
		{ ...row, category: 'holograms', type: 'rebated', messages: 2 },
		{ ...row, messages: 100 },
		{ ...row, market: 'MA', messages: 3 },
		{ ...row, market: 'AE', isEstimate: true, messages: 10 },
		// Before the first rates of the built-in card.
		{ ...row, day: '2026-09-30', messages: 7 },
	]),
)
await transaction(db, (sql) =>
	addUsage(sql, loser.accountId, [
		{ ...row, category: 'service', type: 'free_customer_service', messages: 1000 },
		{ ...row, category: 'service', messages: 40 },
		{ ...row, category: 'group_utility', market: 'unknown', messages: 1 },
	]),
)
await earn(earner.accountId, 11_000)

/** Charges a campaign, gives a part back, and counts both on 12 November. */
async function earn(accountId: AccountId, paise: number): Promise<void> {
	const campaignId = await campaignRow(db, accountId)
	await transaction(db, async (sql) => {
		const given = { campaignId, messageCount: 1 }
		await post(sql, accountId, { ...given, kind: 'hold', reference: 'h', paise: paise + 500 })
		await post(sql, accountId, { ...given, kind: 'capture', reference: 'c', paise: paise + 500 })
		await post(sql, accountId, { ...given, kind: 'refund', reference: 'r', paise: 500 })
		await sql`update ledger_entries set created_at = '2026-11-12' where account_id = ${accountId} and kind <> 'recharge'`
		await sql`insert into daily_totals (account_id, day, spent_paise) values (${accountId}, '2026-11-12', ${paise})`
	})
}

const list = async (query: { month?: string; search?: string; page?: number } = {}) =>
	(await app.call(margins.list, { query: { month: '2026-11', page: 1, limit: 10, search: '', ...query } }, admin)).body

test('margins.list returns revenue, cost by the rates of the day and margin, the accounts that lose money first', async () => {
	const { accounts, totals, month } = await list()
	assert.equal(month, '2026-11')
	assert.deepEqual(
		accounts.map((each) => [
			each.name,
			each.messages,
			each.free,
			each.estimated,
			each.unrated,
			each.revenue,
			each.cost,
			each.margin,
		]),
		[
			// 40 replies at 0.115.
			['Loser', 1041, 1000, 0, 1, 0, 4.6, -4.6],
			// 100 in India at 0.8631 and 10 in the Emirates at 3.6613; Morocco's rate is unknown.
			['Earner', 115, 0, 10, 5, 110, 122.92, -12.92],
		].toSorted((a, b) => Number(a[7]) - Number(b[7])),
	)
	assert.deepEqual(
		[totals.messages, totals.unrated, totals.revenue, totals.cost, totals.margin],
		[1156, 6, 110, 127.52, -17.52],
	)
	assert.deepEqual(
		(await list({ search: 'LOSER@' })).accounts.map(({ name }) => name),
		['Loser'],
	)
	assert.deepEqual((await list({ page: 2 })).accounts, [])
	assert.deepEqual((await list({ month: '2026-10' })).accounts, [])
	const september = await list({ month: '2026-09' })
	assert.deepEqual([september.totals.messages, september.totals.unrated, september.totals.cost], [7, 7, 0])
})

test('margins.list refuses a text that is no month, and callers who are not admins', async () => {
	assert.equal(
		(await app.call(margins.list, { query: { month: '2026-13', page: 1, limit: 10, search: '' } }, admin)).status,
		400,
	)
	assert.equal((await app.call(margins.list, { query: { page: 1, limit: 10, search: '' } }, earner)).status, 403)
})

test('margins.one opens an account by category and market, and shows values that WhatsApp has added unchanged', async () => {
	const { status, body } = await app.call(
		margins.one,
		{ params: { userId: earner.userId }, query: { month: '2026-11' } },
		admin,
	)
	assert.equal(status, 200)
	assert.equal(body.account.margin, -12.92)
	assert.deepEqual(
		body.categories.map((each) => [each.name, each.messages, each.unrated, each.revenue, each.cost]),
		[
			['Marketing', 113, 3, 110, 122.92],
			['holograms', 2, 2, 0, 0],
		],
	)
	assert.deepEqual(
		body.markets.map((each) => [each.name, each.messages, each.estimated, each.unrated, each.cost]),
		[
			['India', 102, 0, 2, 86.31],
			['United Arab Emirates', 10, 10, 0, 36.61],
			['Morocco', 3, 0, 3, 0],
		],
	)
	const unknown = await app.call(margins.one, { params: { userId: loser.userId }, query: { month: '2026-11' } }, admin)
	assert.ok(unknown.body.markets.some(({ name }) => name === 'Unknown country'))
	assert.equal((await app.call(margins.one, { params: { userId: admin.userId }, query: {} }, admin)).status, 404)
})

test('margins.exportCsv returns all accounts of the month with money in two decimals', async () => {
	const response = await fetch(`${app.url}/api/admin/margins/csv?month=2026-11`, {
		headers: { cookie: `session=${admin.token}`, authorization: `Bearer ${admin.token}` },
	})
	const text = await response.text()
	assert.equal(response.headers.get('content-disposition'), 'attachment; filename="margins_2026-11.csv"')
	const lines = text.trim().split('\r\n')
	assert.equal(lines.length, 3)
	assert.match(lines[1] ?? '', /^Earner,earner@example\.com,115,0,10,5,110\.00,122\.92,-12\.92$/)
})

test('the admin dashboard names the current month’s revenue, cost and margin', async () => {
	const { body } = await app.call(adminDashboards.admin, {}, admin)
	assert.match(body.margin.month, /^\d{4}-\d\d$/)
	assert.equal(Math.round((body.margin.revenue - body.margin.cost) * 100), Math.round(body.margin.margin * 100))
})
