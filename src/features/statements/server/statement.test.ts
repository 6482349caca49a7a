import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallet } from '#features/wallet/contract.ts'
import { getWallet, post } from '#features/wallet/server/ledger.ts'
import { takeBack } from '#features/wallet/server/owed.ts'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import { transaction } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { statements } from '../contract.ts'

const app = await launchTestApp()
const admin = await app.signIn('admin')

/**
 * Creates an account with a recharge of 10,000 paise and a campaign of 60 messages for 6,000: 50 charged in two
 * batches, 10 released, 5 refunded.
 */
async function movedWallet(): Promise<TestAccount> {
	const person = await account(app.context, { balancePaise: 10_000 })
	const campaignId = await campaignRow(app.context.db, person.accountId, { name: 'Diwali' })
	const steps = [
		{ kind: 'hold', messages: 60 },
		{ kind: 'capture', messages: 30 },
		{ kind: 'release', messages: 10 },
		{ kind: 'capture', messages: 20 },
		{ kind: 'refund', messages: 5 },
	] as const
	for (const [index, { kind, messages }] of steps.entries()) {
		const reference = `${kind}:${campaignId}:${index}`
		await post(app.context.db, person.accountId, {
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

test('statements.list returns one line per campaign and kind, each with balances that follow from the preceding line', async () => {
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

test("statements.list with a filter keeps each line's balances, and ignores an unreadable filter", async () => {
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

const daysAgo = (days: number) => indianDay(Date.now() - days * DAY_MS)

const groups = (person: TestAccount, query: Record<string, string | number> = {}, as = person) =>
	app.call(statements.groups, { params: { userId: person.userId }, query: { page: 1, ...query } }, as)

test('statements.groups returns one line per campaign and recharge, and their amounts add up to the wallet', async () => {
	const person = await movedWallet()
	const { body } = await groups(person)
	assert.deepEqual(
		body.groups.map((group) => [
			group.campaign?.name ?? group.kind,
			group.messageCount,
			group.availableChange,
			group.heldChange,
		]),
		[
			['Diwali', 45, -45, 0],
			['recharge', null, 100, 0],
		],
	)
	assert.deepEqual([body.page, body.pages, body.hasMore], [1, 1, false])
	const { body: entries } = await statement(person, {})
	assert.deepEqual([body.totals, body.user], [entries.totals, entries.user])
	assert.equal((await groups(person, {}, admin)).body.groups.length, 2, 'an admin sees it too')
	const stranger = await account(app.context)
	assert.equal((await groups(person, {}, stranger)).status, 404)
})

test('statements.list of one campaign returns its lines, each with the balances of the whole wallet', async () => {
	const person = await movedWallet()
	const [group, recharge] = (await groups(person)).body.groups
	assert.equal(recharge?.linesOf, null)
	const { body } = await statement(person, { campaign: String(group?.linesOf) })
	assert.deepEqual(
		body.lines.map((line) => [line.kind, line.available, line.held]),
		[
			['refund', 55, 0],
			['release', 50, 0],
			['capture', 40, 10],
			['hold', 40, 60],
		],
	)
})

test('statements.groups with a filter sums the matching lines, placed at the first of them', async () => {
	const person = await movedWallet()
	const { db } = app.context
	const of = async (query: Record<string, string>) =>
		(await groups(person, query)).body.groups.map((group) => [
			group.campaign?.name ?? null,
			group.messageCount,
			group.availableChange,
			group.heldChange,
		])
	await db`update statement_lines set day = day - 40 where account_id = ${person.accountId} and kind in ('recharge', 'hold')`
	await db`update statement_lines set day = day - 9 where account_id = ${person.accountId} and kind = 'capture'`
	assert.deepEqual(await of({ kind: 'refund' }), [['Diwali', 5, 5, 0]])
	assert.deepEqual(await of({ kind: 'recharge' }), [[null, null, 100, 0]])
	assert.deepEqual(await of({ from: daysAgo(20) }), [['Diwali', 45, 15, -60]])
	assert.deepEqual(await of({ from: daysAgo(20), to: daysAgo(5) }), [['Diwali', 50, 0, -50]])
	assert.deepEqual(await of({ to: daysAgo(30) }), [
		['Diwali', 0, -60, 60],
		[null, null, 100, 0],
	])
	assert.deepEqual(await of({ from: '2999-01-01' }), [])
})

test('statements.groups returns each campaign once, in order of start, when lines of campaigns alternate', async () => {
	const { db } = app.context
	const person = await account(app.context, { balancePaise: 1_000_000 })
	const ids: number[] = []
	for (let index = 0; index < 13; index++)
		ids.push(await campaignRow(db, person.accountId, { name: `Campaign ${index}` }))
	for (const [round, kind] of (['hold', 'capture', 'refund'] as const).entries())
		for (const campaignId of ids) {
			const posting = { kind, paise: 333 - round, messageCount: 3, campaignId, reference: `${kind}:${campaignId}` }
			await post(db, person.accountId, posting)
		}
	const pages = await Promise.all([1, 2, 3].map(async (page) => (await groups(person, { page })).body))
	const all = pages.flatMap((page) => page.groups)
	assert.deepEqual(
		all.map((group) => group.linesOf),
		[...ids.toReversed().map(String), null],
	)
	assert.deepEqual(
		pages.map(({ groups: { length }, pages: count, hasMore }) => [length, count, hasMore]),
		[
			[10, 2, false],
			[4, 2, false],
			[0, 2, false],
		],
	)
	const paise = all.reduce((sum, group) => sum + Math.round((group.availableChange + group.heldChange) * 100), 0)
	assert.equal(paise, 1_000_000 - 13 * (332 - 331))
	const { availablePaise, heldPaise } = await getWallet(db, person.accountId)
	assert.equal(paise, availablePaise + heldPaise)
})

test('statements.groups counts COUNTED_PAGES pages beyond the requested one, and sets hasMore', async (t) => {
	const { db } = app.context
	const person = await account(app.context, { balancePaise: 1_000_000 })
	await db`
		insert into statement_lines (account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, message_count)
		select ${person.accountId}, 1000000000 + n, n, 'hold', n, current_date, -1, 1, 0, 0, 1 from generate_series(1, 300) n
	`
	// Removes lines that have no ledger entries, which the reconciliation would list as findings.
	t.after(() => db`delete from statement_lines where account_id = ${person.accountId} and id > 1000000000`)
	const [first, late] = [await groups(person), await groups(person, { page: 12 })]
	assert.deepEqual([first.body.pages, first.body.hasMore], [20, true])
	assert.deepEqual([late.body.pages, late.body.hasMore], [31, false])
})

test("statements.spending returns each category's charges less its refunds", async () => {
	const person = await movedWallet()
	const { body } = await app.call(statements.spending, { params: { userId: person.userId }, query: {} }, person)
	assert.deepEqual([body.total, body.days.length, body.days[0]?.marketing, body.days[0]?.utility], [45, 1, 45, 0])
	const other = { params: { userId: person.userId }, query: { month: '2020-02' } }
	assert.deepEqual((await app.call(statements.spending, other, person)).body, { month: '2020-02', days: [], total: 0 })
})

test('statements.export returns every line, and no cell that a spreadsheet runs as a formula', async () => {
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

test('reconciliation finds changes made outside the ledger, and /metrics shows the latest count', async () => {
	const { reconcileMoney, reconcileMoneyHourly } = await import('#app/server/housekeeping/reconciliation.ts')
	const { db } = app.context
	const person = await movedWallet()
	assert.deepEqual(
		(await reconcileMoney(db)).filter(({ rule }) => !rule.startsWith('a campaign')),
		[],
	)
	await db`update wallets set available_paise = available_paise + 1 where account_id = ${person.accountId}`
	await db`update statement_lines set held_change_paise = 1 where account_id = ${person.accountId} and kind = 'refund'`
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

test('a reversal is a line of its own with its note, and the total recharged is without it', async () => {
	const person = await account(app.context, { balancePaise: 10_000 })
	const notes = 'Refund of the payment 7-abc'
	await transaction(app.context.db, (sql) =>
		takeBack(sql, person.accountId, { reference: 'payment:7:reversal', paise: 4000, notes }),
	)
	const given = { params: { userId: person.userId }, query: {} }
	const csv = await (await app.call(statements.export, given, person)).body.text()
	assert.match(csv, /,Reversed,,,-40\.00,0\.00,60\.00,0\.00,Refund of the payment 7-abc,/)
	const pdf = await app.call(statements.pdf, given, person)
	assert.equal(pdf.status, 200)
	const { body } = await app.call(statements.list, { ...given, query: { page: 1 } }, person)
	assert.equal(body.totals.recharged, 60)
})
