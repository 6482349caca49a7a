import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { problemsOf } from '#lib/app-error.ts'
import { launchTestDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { transaction, type Sql } from '../db.ts'
import { planScans, scan } from './scan-plans.ts'

const problem = problemsOf({ too_slow: { status: 503, text: 'Too long' } })
const tooLong = () => problem('too_slow')

const database = await launchTestDatabase()

/** Counts the running statements of this test. */
async function sleeping(): Promise<number> {
	const rows = await database.sql`
		select from pg_stat_activity where datname = current_database() and state = 'active' and query like 'select pg_sleep%'
	`
	return rows.length
}

const begin = (signal: AbortSignal, timeoutMs = 60_000) =>
	scan(database.sql, (sql) => sql`select pg_sleep(${30}::float8)`, { signal, timeoutMs, tooLong })

test('scan cancels its own statement, and no other, when its client disconnects', async () => {
	const [gone, stays] = [new AbortController(), new AbortController()]
	const [given, kept] = [begin(gone.signal), begin(stays.signal)]
	await until(async () => (await sleeping()) === 2)
	gone.abort(new Error('gone'))
	await assert.rejects(given, /gone/)
	assert.equal(await sleeping(), 1)
	stays.abort(new Error('gone too'))
	await assert.rejects(kept, /gone too/)
	assert.equal(await sleeping(), 0)
})

test('scan runs nothing for a client that has disconnected, and its connections remain usable', async () => {
	await assert.rejects(begin(AbortSignal.abort(new Error('gone'))), /gone/)
	await sleep(0)
	assert.equal(await sleeping(), 0)
	const { signal } = new AbortController()
	const scanned = await scan(database.sql, (sql) => sql`select 1 as one`, { signal, timeoutMs: 1000, tooLong })
	assert.deepEqual(scanned, [{ one: 1 }])
})

test('scan answers its own refusal when a statement times out', async () => {
	await assert.rejects(begin(new AbortController().signal, 50), { code: 'too_slow' })
})

/** Reads the planner settings that apply to statements on an account's rows. */
const planning = (sql: Sql) => sql`
	select current_setting('enable_nestloop') as loops, current_setting('work_mem') as memory
	from (select count(*) from wallets where account_id = ${1}) as one
`

test("planScans applies on the node of the account's rows until the transaction ends", async () => {
	const [usual] = await planning(database.sql)
	const planned = await transaction(database.sql, async (sql) => {
		await planScans(sql)
		return planning(sql)
	})
	assert.deepEqual([...planned], [{ loops: 'off', memory: '16MB' }])
	assert.deepEqual([...(await planning(database.sql))], [usual])
	assert.equal(usual?.loops, 'on')
})
