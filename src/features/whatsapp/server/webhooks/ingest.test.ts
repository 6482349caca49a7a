import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, type AccountId, type Sql } from '#lib/server/db.ts'
import { publish } from '#lib/server/db/channels/channels.ts'
import { SCHEMA_VERSION } from '#lib/server/db/schema/schema.ts'
import { bareAccount } from '#test/factories.ts'
import { launchIngest } from '#test/scenes/ingest-scene.ts'
import { until } from '#test/until.ts'
import type { WebhookHandlers } from './ingest.ts'
import { webhooksChannel } from './webhooks-channel.ts'

const { database, start, deliver, waitingOf } = await launchIngest()
const db = database.sql

const body = (...ids: unknown[]) =>
	JSON.stringify({ entry: [{ changes: [{ field: 'messages', value: { statuses: ids } }] }] })

/** Returns handlers that record each call with its values and then run `work`. */
function noting(work: (sql: Sql, accountId: AccountId, values: unknown[]) => Promise<unknown> = async () => {}) {
	const calls: { accountId: AccountId; values: unknown[]; at: number }[] = []
	const handlers: WebhookHandlers = {
		async statuses(sql, accountId, values) {
			calls.push({ accountId, values, at: performance.now() })
			await work(sql, accountId, values)
		},
	}
	const of = (accountId: AccountId) => calls.filter((call) => call.accountId === accountId)
	return { handlers, of }
}

test('ingest processes the first webhook of a stream immediately, and the rest in batches at most once per interval', async () => {
	const accountId = await bareAccount(db)
	const { handlers, of } = noting()
	const ingest = await start(handlers)
	const startedAt = performance.now()
	for (let count = 0; count < 40; count++) {
		await deliver(accountId, body(count))
		publish(db, webhooksChannel, accountId)
		if (count === 0) await until(() => of(accountId).length === 1)
	}
	// The scan, which finds webhooks without a notification, runs after two seconds.
	assert.ok((of(accountId)[0]?.at ?? Infinity) - startedAt < 2000)
	await until(async () => (await waitingOf(accountId)).length === 0)
	await ingest.stop()
	const batches = of(accountId)
	const seen = batches.flatMap(({ values }) => values)
	assert.deepEqual(
		seen,
		Array.from({ length: 40 }, (_, index) => index),
	)
	batches.slice(1).forEach(({ at }, index) => assert.ok(at - (batches[index]?.at ?? 0) > 350))
	assert.ok(batches.length < 20)
})

/** Processes all waiting webhooks and returns the size of each batch. */
async function batchSizesOf(accountId: AccountId): Promise<number[]> {
	const { handlers, of } = noting()
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).length === 0)
	await ingest.stop()
	return of(accountId).map(({ values }) => values.length)
}

test('ingest takes at most a thousand webhooks per batch, and starts the next batch without a pause', async () => {
	const accountId = await bareAccount(db)
	await deliver(accountId, ...Array.from({ length: 2500 }, (_, index) => body(index)))
	assert.deepEqual(await batchSizesOf(accountId), [1000, 1000, 500])
})

test('ingest ends a batch at one megabyte, and takes one webhook of any size', async () => {
	const accountId = await bareAccount(db)
	const large = 'x'.repeat(600 * 1024)
	await deliver(accountId, body(large), body(large), body(large.repeat(2)), body('small'))
	assert.deepEqual(await batchSizesOf(accountId), [2, 1, 1])
})

test('ingest processes a webhook with too many items in parts, in order, and counts it once', async () => {
	const accountId = await bareAccount(db)
	const ids = Array.from({ length: 9000 }, (_, index) => index)
	await deliver(accountId, body('before'), body(...ids), body('after'))
	const { handlers, of } = noting()
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).length === 0)
	await ingest.stop()
	assert.deepEqual(
		of(accountId).map(({ values }) => values.length),
		[1, 8000, 1001],
	)
	assert.deepEqual(
		of(accountId).flatMap(({ values }) => values),
		['before', ...ids, 'after'],
	)
	const [totals] = await db`select processed_count as n from webhook_totals where account_id = ${accountId}`
	assert.deepEqual(totals, { n: 3 })
})

test('ingest processes a webhook whose notification was lost after the next scan', async () => {
	const accountId = await bareAccount(db)
	const { handlers, of } = noting()
	const ingest = await start(handlers)
	await deliver(accountId, body('found'))
	await until(() => of(accountId).length === 1)
	await ingest.stop()
	assert.deepEqual(await waitingOf(accountId), [])
})

test('two workers process each webhook of an account once, and never at the same time', async () => {
	const accountId = await bareAccount(db)
	let running = 0
	let most = 0
	const { handlers, of } = noting(async (sql) => {
		most = Math.max(most, ++running)
		await sql`select pg_sleep(0.05)`
		running--
	})
	const workers = await Promise.all([start(handlers), start(handlers)])
	for (let count = 0; count < 10; count++) {
		await deliver(accountId, ...Array.from({ length: 60 }, (_, index) => body(count * 60 + index)))
		publish(db, webhooksChannel, accountId)
	}
	await until(async () => (await waitingOf(accountId)).length === 0)
	await Promise.all(workers.map((worker) => worker.stop()))
	const seen = of(accountId).flatMap(({ values }) => values as number[])
	assert.deepEqual(
		seen.toSorted((a, b) => a - b),
		Array.from({ length: 600 }, (_, index) => index),
	)
	assert.equal(most, 1)
})

test('ingest makes a webhook that always fails a dead letter with its error, and processes those around it', async () => {
	const accountId = await bareAccount(db)
	const applied: unknown[] = []
	const { handlers } = noting(async (sql, _owner, values) => {
		if (values.includes('a bug')) throw new TypeError('planned')
		if (values.includes('a value')) await sql`select 'x'::integer`
		applied.push(...values)
	})
	await deliver(accountId, body('one'), body('a bug'), body('two'), body('a value'), body('three'), 'not JSON')
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).every(({ reason }) => reason !== null))
	await ingest.stop()
	assert.deepEqual(applied, ['one', 'two', 'three'])
	const kept = await waitingOf(accountId)
	assert.deepEqual(
		kept.map((delivery) => delivery.body),
		[body('a bug'), body('a value'), 'not JSON'],
	)
	assert.equal(kept[0]?.reason, `failed on ${SCHEMA_VERSION}: planned`)
})

test('ingest processes a large batch with a failing webhook near its end once and in order', async () => {
	const accountId = await bareAccount(db)
	const applied: unknown[] = []
	const { handlers, of } = noting(async (_sql, _owner, values) => {
		if (values.includes(110)) throw new TypeError('planned')
		applied.push(...values)
	})
	const numbers = Array.from({ length: 120 }, (_, index) => index)
	await deliver(accountId, ...numbers.map((number) => body(number)))
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).every(({ reason }) => reason !== null))
	await ingest.stop()
	assert.deepEqual(
		applied,
		numbers.filter((number) => number !== 110),
	)
	const sizes = of(accountId).map(({ values }) => values.length)
	assert.deepEqual([sizes[0], sizes[101]], [120, 20])
})

test('ingest retries a webhook whose connection was lost and does not make it a dead letter', async () => {
	const accountId = await bareAccount(db)
	const state = { losses: 0 }
	const { handlers } = noting(async (sql) => {
		if (state.losses++ >= 3) return
		const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
		await db`select pg_terminate_backend(${row?.pid ?? 0}::integer)`
		// These statements fail without a PostgreSQL code, as when the network is cut.
		await sql`select 1`.catch(() => {})
		await sql`select 1`
	})
	await deliver(accountId, body('again'))
	const pool = connect(database.url, { max: 2 })
	const ingest = await start(handlers, pool)
	await until(() => state.losses > 3)
	await ingest.stop()
	await pool.end()
	assert.deepEqual(await waitingOf(accountId), [])
})

test('an account whose processing hangs or fails delays no other account', async () => {
	const [stuck, failing, well] = [await bareAccount(db), await bareAccount(db), await bareAccount(db)]
	const held = Promise.withResolvers<null>()
	const { handlers, of } = noting(async (sql, accountId) => {
		if (accountId === stuck) await held.promise
		if (accountId === failing) await sql`do $$ begin raise exception using errcode = '53000'; end $$`
	})
	await deliver(stuck, body(1))
	await deliver(failing, body(1))
	await deliver(well, body(1))
	const ingest = await start(handlers)
	await until(() => of(stuck).length === 1 && of(failing).length > 0)
	await until(async () => (await waitingOf(well)).length === 0)
	assert.equal(of(stuck).length, 1)
	assert.deepEqual(await waitingOf(failing), [{ body: body(1), reason: null }])
	held.resolve(null)
	await ingest.stop()
})

test('ingest makes a webhook with an unknown kind a dead letter, and processes its other changes', async () => {
	const accountId = await bareAccount(db)
	const { handlers, of } = noting()
	const mixed = JSON.stringify({
		entry: [
			{
				changes: [
					{ field: 'hologram', value: 1 },
					{ field: 'messages', value: { statuses: ['s'], messages: ['m'] } },
				],
			},
		],
	})
	await deliver(accountId, mixed, body('plain'), '{"entry":[]}')
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).every(({ reason }) => reason !== null))
	await ingest.stop()
	assert.deepEqual(
		of(accountId).flatMap(({ values }) => values),
		['s', 'plain'],
	)
	assert.deepEqual(await waitingOf(accountId), [
		{ body: mixed, reason: 'not understood: hologram, messages' },
		{ body: '{"entry":[]}', reason: 'not understood: nothing known' },
	])
})

test('ingest counts and drops changes of ignored kinds', async () => {
	const accountId = await bareAccount(db)
	const { handlers, of } = noting()
	const fields = ['standby', 'tracking_events', 'calls', 'flows', 'calls'].map((field) => ({ field, value: {} }))
	const changes = [...fields, { field: 'messages', value: { user_actions: [{ action_type: 'new' }] } }]
	const mixed = [...changes, { field: 'messages', value: { statuses: ['s'] } }]
	await deliver(accountId, JSON.stringify({ entry: [{ changes }] }), JSON.stringify({ entry: [{ changes: mixed }] }))
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).length === 0)
	await ingest.stop()
	assert.deepEqual(
		of(accountId).flatMap(({ values }) => values),
		['s'],
	)
	const [totals] = await db<{ processed: number; ignored: number }[]>`
		select processed_count as processed, ignored_count as ignored from webhook_totals where account_id = ${accountId}
	`
	assert.deepEqual({ ...totals }, { processed: 2, ignored: 12 })
})

test('ingest makes a webhook without a handler a dead letter, also for fields named __proto__ or with NUL', async () => {
	const accountId = await bareAccount(db)
	const bodies = ['security', '__proto__', 'constructor', 'nu\0l'].map((field) =>
		JSON.stringify({ entry: [{ changes: [{ field, value: {} }] }] }),
	)
	await deliver(accountId, ...bodies)
	await start(noting().handlers)
	await until(async () => (await waitingOf(accountId)).every(({ reason }) => reason !== null))
	assert.deepEqual(
		(await waitingOf(accountId)).map(({ reason }) => reason),
		[
			'for an administrator: security',
			'not understood: __proto__',
			'not understood: constructor',
			'not understood: nul',
		],
	)
})

test('ingest cuts the reason of a dead letter at 1,000 characters', async () => {
	const accountId = await bareAccount(db)
	const { handlers } = noting()
	await deliver(accountId, JSON.stringify({ entry: [{ changes: [{ field: 'x'.repeat(5000), value: 1 }] }] }))
	const ingest = await start(handlers)
	await until(async () => (await waitingOf(accountId)).every(({ reason }) => reason !== null))
	await ingest.stop()
	assert.deepEqual(
		(await waitingOf(accountId)).map(({ reason }) => reason),
		[`not understood: ${'x'.repeat(984)}`],
	)
})
