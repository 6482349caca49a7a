import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '#test/database.ts'
import { connect, transaction } from './db.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
before(async () => {
	database = await createTestDatabase()
	await database.sql`create table notes (id integer)`
})
after(() => database.drop())

test('a transaction whose connection dies midway leaves nothing behind, and the pool goes on', async () => {
	const pool = connect(database.url, { max: 3, name: 'dying' })
	// Others keep the pool's connections busy, so that a freed one is taken at once.
	const state = { isOver: false }
	const traffic = Array.from({ length: 4 }, async () => {
		while (!state.isOver) {
			await pool`select pg_sleep(0.002)`.catch(() => {})
		}
	})
	for (let round = 0; round < 5; round++) {
		const lost = transaction(pool, async (sql) => {
			await sql`insert into notes values (1)`
			const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
			await database.sql`select pg_terminate_backend(${row?.pid ?? 0})`
			await sleep(20)
			await sql`insert into notes values (2)`.catch(() => {})
			await sql`insert into notes values (3)`.catch(() => {})
		})
		await assert.rejects(lost)
	}
	state.isOver = true
	await Promise.all(traffic)
	assert.deepEqual([...(await pool`select id from notes`)], [])
	await transaction(pool, async (sql) => sql`insert into notes values (4)`)
	assert.equal((await database.sql`select id from notes`).length, 1)
	await pool.end()
})
