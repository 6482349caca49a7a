import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { test } from 'node:test'
import { statements } from '#features/statements/contract.ts'
import { post, type Posting } from '#features/wallet/server/ledger.ts'
import { transaction } from '#lib/server/db.ts'
import { account, campaignRow, type TestAccount } from '#test/factories.ts'
import { launchTestApp } from '#test/http-app.ts'
import { until } from '#test/until.ts'
import { readMonth, totalOf, type MonthStatement, type StatementRow } from './month-statement.ts'
import { makeStatement } from './statement-file.ts'

const app = await launchTestApp({ env: { ISSUER_NAME: 'Tantu Textiles', ISSUER_GSTIN: '27AAPFU0939F1ZV' } })

let posted = 0

/** Posts an entry dated `at`, such as 2026-10-31T18:29:59Z. */
async function postAt({ accountId }: TestAccount, at: string, posting: Omit<Posting, 'reference'>) {
	const { db } = app.context
	const named = { reference: `test:${++posted}`, ...posting }
	await transaction(db, async (sql) => {
		assert.ok(await post(sql, accountId, named))
		await sql`update ledger_entries set created_at = ${at} where account_id = ${accountId} and reference = ${named.reference}`
		await sql`
			update statement_lines l
			set day = (${at}::timestamptz at time zone 'Asia/Kolkata')::date, last_at = ${at}
			where account_id = ${accountId} and id = (select max(id) from statement_lines where account_id = ${accountId})
		`
	})
}

interface Read extends Omit<MonthStatement, 'rows'> {
	rows: StatementRow[]
}

const read = ({ accountId }: TestAccount, month: string) =>
	readMonth(app.context.db, { accountId, month }, async (statement): Promise<Read> => {
		const rows: StatementRow[] = []
		for await (const batch of statement.rows()) rows.push(...batch)
		return { ...statement, rows }
	})

const paise = (rows: StatementRow[], pick: (row: StatementRow) => number) =>
	rows.reduce((sum, row) => sum + pick(row), 0)

/**
 * Creates an account with two months: October ends with a line one second before Indian midnight, November begins with
 * one at midnight and has a chat template.
 */
async function twoMonths(): Promise<TestAccount> {
	const { db } = app.context
	const person = await account(app.context, { name: 'मीरा शाह' })
	const [offer, notice] = [
		await campaignRow(db, person.accountId, { name: 'दीपावली की शुभकामनाएँ' }),
		await campaignRow(db, person.accountId, { name: 'Delivery', category: 'UTILITY' }),
	]
	await postAt(person, '2026-10-05T05:00:00Z', { kind: 'recharge', paise: 100_000, notes: 'यूपीआई, தமிழ், ਪੰਜਾਬੀ' })
	const step = (
		kind: Posting['kind'],
		at: string,
		given: { campaignId: number; paise: number; messageCount: number },
	) => postAt(person, at, { kind, ...given })
	await step('hold', '2026-10-31T18:20:00Z', { campaignId: offer, paise: 6000, messageCount: 60 })
	await step('capture', '2026-10-31T18:29:59Z', { campaignId: offer, paise: 3000, messageCount: 30 })
	await step('hold', '2026-10-31T18:30:00Z', { campaignId: notice, paise: 900, messageCount: 30 })
	await step('capture', '2026-11-01T05:00:00Z', { campaignId: offer, paise: 2000, messageCount: 20 })
	await step('release', '2026-11-01T06:00:00Z', { campaignId: offer, paise: 1000, messageCount: 10 })
	await step('capture', '2026-11-02T05:00:00Z', { campaignId: notice, paise: 900, messageCount: 30 })
	await step('refund', '2026-11-03T05:00:00Z', { campaignId: offer, paise: 500, messageCount: 5 })
	const chat = await campaignRow(db, person.accountId, { kind: 'chat', category: 'UTILITY' })
	await step('hold', '2026-11-04T05:00:00Z', { campaignId: chat, paise: 30, messageCount: 1 })
	await step('capture', '2026-11-04T05:00:01Z', { campaignId: chat, paise: 30, messageCount: 1 })
	return person
}

test('readMonth returns lines that lead from each opening to each closing balance, and in the last month to the wallet’s', async () => {
	const person = await twoMonths()
	const [october, november] = [await read(person, '2026-10'), await read(person, '2026-11')]
	assert.deepEqual([october.rows.length, november.rows.length], [3, 7])
	assert.equal(november.rows.at(-1)?.campaignName, null, 'a chat is no campaign of the statement')
	for (const month of [october, november]) {
		const { opening, closing, rows } = month
		const moved = paise(rows, (row) => row.inPaise) - paise(rows, (row) => row.outPaise)
		assert.equal(totalOf(opening) + moved, totalOf(closing))
		assert.deepEqual([rows.at(-1)?.balancePaise, rows.at(-1)?.heldPaise], [totalOf(closing), closing.heldPaise])
	}
	assert.deepEqual(october.closing, november.opening)
	const [held] = await app.context.db`
		select available_paise as "availablePaise", held_paise as "heldPaise" from wallets where account_id = ${person.accountId}
	`
	assert.deepEqual(november.closing, { ...held })
})

test('readMonth returns totals by kind and by category that equal the ledger’s', async () => {
	const person = await twoMonths()
	const { kinds, categories } = await read(person, '2026-11')
	const ledger = await app.context.db<{ kind: string; messages: number; paise: number }[]>`
		select kind, sum(message_count)::bigint as messages, sum(available_change_paise + held_change_paise)::bigint as paise
		from ledger_entries
		where account_id = ${person.accountId} and created_at >= '2026-11-01T00:00:00+05:30'
		group by kind order by kind
	`
	const totals = Object.values(kinds).filter(({ lines }) => lines > 0)
	assert.deepEqual(
		totals.map((total) => ({ kind: total.kind, messages: total.messages, paise: totalOf(total) })).toSorted(byKind),
		ledger.map((row) => ({ ...row })),
	)
	assert.deepEqual(
		categories.map((row) => [
			row.category,
			row.chargedMessages,
			row.chargedPaise,
			row.refundedMessages,
			row.refundedPaise,
		]),
		[
			['MARKETING', 20, 2000, 5, 500],
			['UTILITY', 31, 930, 0, 0],
		],
	)
})

const byKind = (a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)

test('readMonth of a month without lines returns the balance before it as opening and closing', async () => {
	const person = await twoMonths()
	for (const [month, total] of [
		['2026-09', 0],
		['2027-01', 94_570],
	] as const) {
		const { opening, closing, rows, categories } = await read(person, month)
		assert.deepEqual([totalOf(opening), totalOf(closing), rows, categories], [total, total, [], []])
	}
})

test('readMonth excludes entries that are posted while it reads', async () => {
	const person = await twoMonths()
	const campaignId = await campaignRow(app.context.db, person.accountId)
	await readMonth(app.context.db, { accountId: person.accountId, month: '2026-11' }, async ({ rows, closing }) => {
		await postAt(person, '2026-11-05T05:00:00Z', { kind: 'hold', paise: 100, campaignId, messageCount: 1 })
		await postAt(person, '2026-11-05T05:00:01Z', { kind: 'capture', paise: 100, campaignId, messageCount: 1 })
		for await (const batch of rows()) assert.equal(batch.at(-1)?.balancePaise, totalOf(closing))
	})
	assert.equal((await read(person, '2026-11')).rows.length, 9)
})

const pdf = (userId: string, month: string, as: TestAccount) =>
	app.call(statements.pdf, { params: { userId }, query: { month } }, as)

async function textOf(person: TestAccount, month: string): Promise<string> {
	const { status, body } = await pdf(person.userId, month, person)
	assert.equal(status, 200)
	return Buffer.from(await body.arrayBuffer()).toString('latin1')
}

test('statements.pdf returns a tagged PDF named by month and account, with a font for each script in it', async () => {
	const person = await twoMonths()
	const admin = await app.signIn('admin')
	const { status, headers, body } = await pdf(person.userId, '2026-10', admin)
	assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'])
	const name = `attachment; filename="statement_2026-10_${person.userId}.pdf"`
	assert.equal(headers.get('content-disposition'), name)
	assert.equal(headers.get('cache-control'), 'no-store')
	const text = Buffer.from(await body.arrayBuffer()).toString('latin1')
	assert.match(text, /^%PDF-1\.7/)
	assert.match(text, /%%EOF\s*$/)
	for (const font of ['NotoSans', 'NotoSansTamil', 'NotoSansGurmukhi'])
		assert.ok(text.includes(`+${font}-Regular`), font)
	assert.match(text, /\/Marked true/)
	assert.match(text, /\/Scope \/Column/)
})

/** Inserts recharges of November, or refunds when a campaign is given. */
async function addLines({ accountId }: TestAccount, { lines, campaignId = 0 }: { lines: number; campaignId?: number }) {
	await app.context.db`
		insert into statement_lines (
			account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, last_at
		)
		select ${accountId}, n, n, ${campaignId ? 'refund' : 'recharge'}, ${campaignId}, '2026-11-10', 100, 0, n * 100, 0,
			'2026-11-10T05:00:00Z'
		from generate_series(1, ${lines}) n
	`
}

test('statements.pdf puts 200 lines on several pages, each a table with its header', async () => {
	const person = await account(app.context)
	await addLines(person, { lines: 200 })
	const text = await textOf(person, '2026-11')
	const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
	const pages = count(/\/Type \/Page\b/g)
	assert.ok(pages >= 5 && pages <= 10, `${pages} pages`)
	// Each page has one table, and the summary is another.
	assert.equal(count(/\/S \/Table\b/g), pages + 1)
	assert.equal(count(/\/Total \d+ 0 R/g), pages)
})

test('statements.pdf returns 400 for an invalid month, 404 to another user, and an empty statement for a future month', async () => {
	const [person, other] = [await twoMonths(), await app.signIn('user')]
	for (const month of ['', '2026-13', '2026-1', 'November', '1999-12']) {
		const { status, body } = await pdf(person.userId, month, person)
		assert.deepEqual([status, body.message], [400, 'Choose a month such as 2026-11'], month)
	}
	const { status, body } = await pdf(person.userId, '2026-11', other)
	assert.deepEqual([status, body.message], [404, 'User not found'])
	assert.equal((await textOf(person, '2099-01')).match(/\/Type \/Page\b/g)?.length, 1)
})

test('statements.pdf writes a campaign that is named like a property of Object.prototype on every page', async () => {
	const person = await account(app.context)
	const campaignId = await campaignRow(app.context.db, person.accountId, { name: 'constructor toString' })
	await addLines(person, { lines: 1200, campaignId })
	assert.ok(((await textOf(person, '2026-11')).match(/\/Type \/Page\b/g)?.length ?? 0) > 20)
})

/** Returns the paths of the statement files that this process has open. */
async function openStatements(): Promise<string[]> {
	const fds = await readdir('/proc/self/fd')
	const paths = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
	return paths.filter((path) => path.includes('/statement-'))
}

test(
	'makeStatement leaves no file after a full read, an error, an abort, or the end of the process',
	{
		skip: process.platform !== 'linux',
	},
	async () => {
		const person = await twoMonths()
		const make = (month: string, signal?: AbortSignal) => {
			const issuer = { name: 'Tantu Textiles', address: '', gstin: '' }
			return makeStatement(app.context.db, issuer, { accountId: person.accountId, month, ...(signal && { signal }) })
		}
		const content = await make('2026-11')
		assert.match((await openStatements()).join(), /^[^,]+ \(deleted\)$/, 'a file without a name while it is read')
		content.resume()
		await once(content, 'close')
		await assert.rejects(make('no month'))
		const cancelled = new AbortController()
		const broken = make('2026-11', cancelled.signal)
		setImmediate(() => cancelled.abort())
		await assert.rejects(broken, { name: 'AbortError' })
		await until(async () => (await openStatements()).length === 0)
	},
)

test('statements.pdf stops writing when the client disconnects', { skip: process.platform !== 'linux' }, async () => {
	const person = await account(app.context)
	await addLines(person, { lines: 30_000 })
	const cancelled = new AbortController()
	const reply = fetch(`${app.url}/api/wallet/statement/${person.userId}/pdf?month=2026-11`, {
		headers: { authorization: `Bearer ${person.token}` },
		signal: cancelled.signal,
	})
	await until(async () => (await openStatements()).length > 0)
	cancelled.abort()
	await assert.rejects(reply, { name: 'AbortError' })
	await until(async () => (await openStatements()).length === 0)
})
