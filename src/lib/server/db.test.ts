import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import * as fc from 'fast-check'
import { Pool } from 'pg'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { startTcpProxy, type TcpProxy } from '#test/servers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import { connect, transaction, type Db, type DbOptions, type Sql } from './db.ts'
import { transactionUntilKnown } from './db/lost-commit.ts'
import { createLog } from './log.ts'

let database: TestDatabase
let proxy: TcpProxy
before(async () => {
	database = await createTestDatabase()
	await database.sql`create table notes (id integer primary key)`
	const { hostname, port } = new URL(database.directUrl)
	proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) })
})
after(async () => {
	await proxy.close()
	await database.drop()
})
beforeEach(() => database.sql`delete from notes`)

async function noted(): Promise<number[]> {
	const rows = await database.sql<{ id: number }[]>`select id from notes order by id`
	return rows.map((row) => row.id)
}

/** Connects through the proxy; the pool closes after the test. */
function connectByProxy(t: { after(close: () => Promise<void>): void }, options: DbOptions = {}): Db {
	const pool = connect(proxy.url(database.directUrl), { max: 2, ...options })
	t.after(() => pool.end())
	return pool
}

test('60 concurrent transactions on a pool of three all commit', async () => {
	const pool = connect(database.url, { max: 3, name: 'burst' })
	const ids = Array.from({ length: 60 }, (_, id) => id)
	await Promise.all(ids.map((id) => transaction(pool, (sql) => sql`insert into notes values (${id})`)))
	await pool.end()
	assert.deepEqual(await noted(), ids)
})

test('an array parameter keeps null apart from the text "NULL" in both directions', async () => {
	const texts = [null, 'NULL', 'null', '', 'a "b" \\ {c}']
	const numbers = [null, 1, 9_007_199_254_740_991]
	const [row] = await database.sql`
		select ${texts}::text[] as texts, ${numbers}::bigint[] as numbers,
			array(select coalesce(x, 'missing') from unnest(${texts}::text[]) x) as seen
	`
	assert.deepEqual(row, { texts, numbers, seen: ['missing', ...texts.slice(1)] })
})

test('a transaction whose connection dies rejects and commits nothing, and the pool still works', async (t) => {
	const pool = connect(database.directUrl, { max: 3, name: 'dying' })
	// Other statements keep the pool busy, so that a freed connection is reused immediately.
	const state = { isOver: false }
	t.after(async () => {
		state.isOver = true
		await Promise.all(traffic)
		await pool.end()
	})
	const traffic = Array.from({ length: 4 }, async () => {
		while (!state.isOver) await pool`select pg_sleep(0.002)`.catch(() => {})
	})
	for (let round = 0; round < 5; round++) {
		let pid = 0
		const lost = transaction(pool, async (sql) => {
			await sql`insert into notes values (1)`
			const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
			pid = row?.pid ?? 0
			await database.sql`select pg_terminate_backend(${pid}::integer, 5000)`
			await sql`insert into notes values (2)`.catch(() => {})
			await sql`insert into notes values (3)`.catch(() => {})
		})
		await assert.rejects(lost)
		const [again] = await pool<{ pid: number }[]>`select pg_backend_pid() as pid`
		assert.notEqual(again?.pid, pid)
	}
	assert.deepEqual(await noted(), [])
	await transaction(pool, (sql) => sql`insert into notes values (4)`)
	assert.deepEqual(await noted(), [4])
})

test('a transaction rejects when one of its statements failed, even if the work caught the error', async () => {
	const { sql: pool } = database
	const work = transaction(pool, async (sql) => {
		await sql`insert into notes values (1)`
		await sql`insert into notes values (1)`.catch(() => {})
		return 'done'
	})
	await assert.rejects(work, /Nothing was committed/)
	assert.deepEqual(await noted(), [])
})

test('statements that a transaction’s work sends after another part failed change nothing', async () => {
	const pool = connect(database.url, { max: 1 })
	const gate = Promise.withResolvers<void>()
	let late: Promise<unknown> = Promise.resolve()
	const work = transaction(pool, async (sql) => {
		late = gate.promise.then(() => sql`insert into notes values (1)`)
		late.catch(() => {})
		const failing = async () => sql`select 1 / 0`
		// Opens the gate while the transaction rolls back.
		await failing().finally(() => setImmediate(gate.resolve))
	})
	await assert.rejects(work, /division by zero/)
	await assert.rejects(late, /This transaction is over/)
	assert.deepEqual(await noted(), [])
	await pool.end()
})

for (const ending of ['cut', 'silence'] as const) {
	test(`a transaction rejects when the answer to its COMMIT is lost by ${ending}, and the pool replaces the connection`, async (t) => {
		const pool = connectByProxy(t, { max: 1, timeoutMs: 200 })
		const loss = proxy.dropReplyTo('commit', { ending })
		await assert.rejects(transaction(pool, (sql) => sql`insert into notes values (1)`))
		assert.equal(loss.count, 1)
		assert.deepEqual(await noted(), [1])
		await transaction(pool, (sql) => sql`insert into notes values (2)`)
		assert.deepEqual(await noted(), [1, 2])
	})
}

test('transactionUntilKnown resolves with what was committed without an answer, and rejects when nothing was committed', async (t) => {
	const pool = connectByProxy(t, { timeoutMs: 200 })
	const note = (id: number) =>
		transactionUntilKnown(
			pool,
			async (sql) => {
				await sql`insert into notes values (${id})`
				return id
			},
			async (sql, known) => (await sql`select 1 from notes where id = ${known}`).length > 0,
		)
	for (const [id, ending] of [
		[1, 'cut'],
		[2, 'silence'],
	] as const) {
		proxy.dropReplyTo('commit', { ending })
		assert.equal(await note(id), id)
	}
	proxy.dropRequest('commit', { ending: 'cut' })
	await assert.rejects(note(3))
	await assert.rejects(note(1), /notes_pkey/)
	assert.deepEqual(await noted(), [1, 2])
})

test('the pool replaces a connection that stays silent longer than its timeout', async (t) => {
	const pool = connectByProxy(t, { max: 1, timeoutMs: 200 })
	await pool`select 1`
	assert.equal(proxy.silence(), 1)
	await assert.rejects(async () => pool`select 1`, /No answer from the database within 2200 ms/)
	assert.equal((await pool`select 1`).length, 1)
	proxy.cut()
})

test('the server cancels a statement that takes longer than its timeout', async () => {
	const pool = connect(database.directUrl, { timeoutMs: 100 })
	await assert.rejects(async () => pool`select pg_sleep(10)`, /statement timeout/)
	await assert.rejects(
		transaction(pool, (sql) => sql`select pg_sleep(10)`, { timeoutMs: 50 }),
		/statement timeout/,
	)
	await pool.end()
})

async function readTimeouts(sql: Pick<Db, 'unsafe'>) {
	const names = ['statement_timeout', 'idle_in_transaction_session_timeout']
	const [row] = await sql.unsafe(`select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`)
	return row
}

test('a transaction sets timeouts for statements and for idling, and resets both at its end', async () => {
	const pool = connect(database.url, { max: 1, timeoutMs: 3000 })
	const outside = await readTimeouts(pool)
	assert.deepEqual(await transaction(pool, readTimeouts, { timeoutMs: 1500 }), {
		statement_timeout: '1500ms',
		idle_in_transaction_session_timeout: '10s',
	})
	assert.deepEqual(await readTimeouts(pool), outside)
	await pool.end()
})

test('a transaction’s notifications arrive after its commit, and not after a rollback', async () => {
	const { createListener } = await import('./db/channels/listener.ts')
	const listener = createListener(database.directUrl, { warn: () => {} } as never)
	const received: string[] = []
	await listener.listen('notes', (payload) => received.push(payload))
	await assert.rejects(
		transaction(database.sql, async (sql) => {
			sql.notify('notes', 'rolled back')
			throw new Error('no')
		}),
	)
	await transaction(database.sql, async (sql) => {
		for (const payload of ['one', 'two', 'one']) sql.notify('notes', payload)
		// Longer than the notifier's interval.
		await sql`select pg_sleep(0.2)`
		assert.deepEqual(received, [])
	})
	await until(() => received.length >= 2)
	database.sql.notify('notes', 'last')
	await until(() => received.includes('last'))
	assert.deepEqual(received, ['one', 'two', 'last'])
	await listener.close()
})

async function rest(sql: Sql, seconds: number, secret: string): Promise<void> {
	await sql`select pg_sleep(${seconds}), ${secret}::text`
}

test('a slow statement is logged with its function, file and pool, and without its values', async (t) => {
	const lines: string[] = []
	const log = createLog('warn', { write: (line) => void lines.push(line) })
	const pool = connectByProxy(t, { name: 'watched', slow: { log, afterMs: 100 } })
	await rest(pool, 0, 'quick')
	await rest(pool, 0.15, '919812345678')
	await transaction(pool, (sql) => rest(sql, 0.15, '919812345678'))
	await assert.rejects(transaction(pool, (sql) => rest(sql, 5, '919812345678'), { timeoutMs: 200 }))
	assert.equal(lines.length, 3)
	for (const line of lines) {
		const { statement, pool: name, durationMs } = JSON.parse(line) as Record<string, unknown>
		assert.match(String(statement), /^rest \(db\.test\.ts:\d+\)$/)
		assert.equal(name, 'watched')
		assert.ok(Number(durationMs) >= 100)
		assert.doesNotMatch(line, /919812345678|pg_sleep/)
	}
})

test('connections() counts the connections in use and the statements that wait for one', async (t) => {
	const pool = connectByProxy(t)
	const resting = Array.from({ length: 5 }, () => pool`select pg_sleep(0.3)`)
	const done = Promise.all(resting)
	await until(() => pool.connections().busy === 2 && pool.connections().waiting === 3)
	await done
	assert.deepEqual(pool.connections(), { busy: 0, idle: 2, waiting: 0 })
})

test('arrays of texts and numbers reach PostgreSQL as pg would write them', async () => {
	const plain = new Pool({ connectionString: database.url, max: 1 })
	try {
		const text = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', ' ', "'"),
		)
		const texts = fc.array(
			fc.option(
				text.map((value) => value.replaceAll('\0', '')),
				{ nil: null },
			),
			{ maxLength: 8 },
		)
		const numbers = fc.array(fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true })), { nil: null }), {
			maxLength: 8,
		})
		await fc.assert(
			fc.asyncProperty(texts, numbers, async (given, figures) => {
				const [ours] = await database.sql`select ${given}::text[] as texts, ${figures}::double precision[] as figures`
				const { rows } = await plain.query('select $1::text[] as texts, $2::double precision[] as figures', [
					given,
					figures,
				])
				assert.deepEqual({ ...ours }, { ...rows[0] })
			}),
			{ numRuns: 300 },
		)
	} finally {
		await plain.end()
	}
})
