import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { wallet } from '#features/wallet/contract.ts'
import { post } from '#features/wallet/server/ledger.ts'
import { createLog } from '#lib/server/log.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { startTestApp, type TestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { statements } from '../contract.ts'

let app: TestApp
let admin: TestAccount
before(async () => {
	app = await startTestApp()
	admin = await app.signIn('admin')
})
after(() => app.close())

/** 10,000 paise in, 6,000 for a campaign of 60: 50 charged in two batches, 10 released, 5 refunded. */
async function movedWallet(): Promise<TestAccount> {
	const person = await account(app.context, { balancePaise: 10_000 })
	const campaignId = await campaignRow(app.context.db, person.ownerId, { name: 'Diwali' })
	const steps = [
		{ kind: 'hold', messages: 60 },
		{ kind: 'capture', messages: 30 },
		{ kind: 'release', messages: 10 },
		{ kind: 'capture', messages: 20 },
		{ kind: 'refund', messages: 5 },
	] as const
	for (const [index, { kind, messages }] of steps.entries()) {
		const reference = `${kind}:${campaignId}:${index}`
		await post(app.context.db, person.ownerId, {
			kind,
			reference,
			paise: messages * 100,
			campaignId,
			messageCount: messages,
		})
	}
	return person
}

const statement = (person: TestAccount, query: Record<string, string> = {}, as = person) =>
	app.call(statements.list, { params: { userId: person.userId }, query: { page: 1, ...query } }, as)

test('statements.list has one line for each campaign and kind, and each line’s balances follow from the one before', async () => {
	const person = await movedWallet()
	const { body } = await statement(person)
	const lines = body.lines.map((line) => [line.kind, line.messageCount, line.available, line.held])
	assert.deepEqual(lines, [
		['refund', 5, 55, 0],
		['release', 10, 50, 0],
		['capture', 50, 40, 10],
		['hold', 60, 40, 60],
		['recharge', null, 100, 0],
	])
	assert.deepEqual(body.totals, { recharged: 100, spent: 45 })
	assert.deepEqual({ ...body.user, createdAt: '' }, { name: person.name, createdAt: '', walletBalance: 55, onHold: 0 })
	let [available, held] = [0, 0]
	for (const line of body.lines.toReversed()) {
		available = Math.round((available + line.availableChange) * 100) / 100
		held = Math.round((held + line.heldChange) * 100) / 100
		assert.deepEqual([line.available, line.held], [available, held])
	}
})

test('statements.list with a filter keeps the balances of its lines, and ignores an unreadable filter', async () => {
	const person = await movedWallet()
	const captured = await statement(person, { kind: 'capture' })
	assert.deepEqual(
		captured.body.lines.map((line) => [line.kind, line.available, line.held]),
		[['capture', 40, 10]],
	)
	assert.equal((await statement(person, { from: '2999-01-01' })).body.lines.length, 0)
	assert.equal((await statement(person, { to: '2999-01-01', kind: 'gift', from: 'soon' })).body.lines.length, 5)
	assert.equal((await statement(person, { from: '0000-01-01', to: '9999-12-31' })).body.lines.length, 5)
	assert.equal((await statement(person, {}, admin)).body.lines.length, 5, 'an admin sees it too')
})

test("statements.spending returns each category's charges less its refunds", async () => {
	const person = await movedWallet()
	const { body } = await app.call(statements.spending, { params: { userId: person.userId }, query: {} }, person)
	assert.deepEqual([body.total, body.days.length, body.days[0]?.marketing, body.days[0]?.utility], [45, 1, 45, 0])
	const other = { params: { userId: person.userId }, query: { month: '2020-02' } }
	assert.deepEqual((await app.call(statements.spending, other, person)).body, { month: '2020-02', days: [], total: 0 })
})

test('statements.export returns every line, and no cell that a spreadsheet would run as a formula', async () => {
	const person = await account(app.context)
	const notes = ['=HYPERLINK("http://evil")', '+1', '-2', '@SUM(A1)', ' =1', 'paid, "cash"\nagain', '\t=1']
	for (const note of notes)
		await app.call(wallet.recharge, { params: { userId: person.userId }, body: { amount: 1, notes: note } }, admin)
	const params = { params: { userId: person.userId }, query: {} }
	const { body, headers } = await app.call(statements.export, params, person)
	assert.equal(headers.get('content-disposition'), 'attachment; filename="wallet_statement.csv"')
	const text = await body.text()
	assert.equal(text.split('\r\n').length, notes.length + 2)
	assert.match(text, /^\uFEFF?Date and time,Kind,Campaign,/)
	assert.match(text, /,"'=1",/)
	assert.match(text, /"'=HYPERLINK\(""http:\/\/evil""\)"/)
	assert.match(text, /"paid, ""cash""\nagain"/)
	for (const cell of text.split(/[\r\n]+|,/)) assert.doesNotMatch(cell, /^"?\s*[=+@]/)
})

test('reconciliation finds changes made behind the ledger, and /metrics shows the latest count', async () => {
	const { reconcileMoney, reconcileMoneyHourly } = await import('#app/server/reconciliation.ts')
	const { db } = app.context
	const person = await movedWallet()
	assert.deepEqual(
		(await reconcileMoney(db)).filter(({ rule }) => !rule.startsWith('a campaign')),
		[],
	)
	await db`update wallets set available_paise = available_paise + 1 where account_id = ${person.ownerId}`
	await db`update statement_lines set held_change_paise = 1 where account_id = ${person.ownerId} and kind = 'refund'`
	await db`update receipt_counters set last_number = last_number + 1`
	const rules = new Set((await reconcileMoney(db)).map(({ rule }) => rule))
	for (const rule of [
		'the wallet has what its last entry says',
		'the statement says what the ledger says',
		'receipts are numbered from 1 without a gap',
	])
		assert.ok(rules.has(rule), rule)
	await reconcileMoneyHourly({ db, log: createLog('silent') })
	await until(async () =>
		/^money_reconciliation_findings [1-9]/m.test(await (await fetch(`${app.url}/metrics`)).text()),
	)
})
