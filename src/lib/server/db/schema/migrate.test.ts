import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { transaction } from '#lib/server/db.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { migrate } from './migrate.ts'

const FILE = '9999_next.sql'

let database: TestDatabase
let folder: string
let logged: Record<string, unknown>[]
beforeEach(async () => {
	database = await createTestDatabase()
	await database.sql`create table a (id int primary key, n int not null default 0)`
	await database.sql`create table b (id int primary key, n int not null default 0)`
	await database.sql`insert into a values (1)`
	await database.sql`insert into b values (1)`
	folder = await mkdtemp(join(tmpdir(), 'migrations-'))
	await cp(new URL('../../../../../db/', import.meta.url), folder, { recursive: true })
	logged = []
})
afterEach(async () => {
	await database.drop()
	await rm(folder, { recursive: true })
})

/** Migrates as a process of a release with one more migration does. */
async function upgrade(text: string, retryMs?: number): Promise<void> {
	await mkdir(join(folder, 'migrations'), { recursive: true })
	await writeFile(join(folder, 'migrations', FILE), text)
	const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
	await migrate(database.directUrl, { folder: pathToFileURL(`${folder}/`), log, ...(retryMs && { retryMs }) })
}

/** Locks the table until the returned function is called. */
async function hold(table: 'a' | 'b'): Promise<() => Promise<void>> {
	const client = await database.sql.acquire()
	await client.query(`begin; lock table ${table} in row exclusive mode`)
	return async () => {
		await client.query('rollback')
		client.release()
	}
}

const isApplied = async () => (await database.sql`select 1 from schema_migrations where file = ${FILE}`).length === 1

test('migrate waits at most two seconds for a lock, retries, and logs file and statement', async () => {
	const release = await hold('b')
	const migrating = upgrade('alter table a add column more int;\n-- as it is\nalter table b add column more int;')
	try {
		await until(() => logged.length > 0)
	} finally {
		// Between two attempts migrate holds no lock.
		await database.sql`insert into a (id) values (2)`
		await release()
	}
	await migrating
	assert.ok(await isApplied())
	const { file, statement } = logged[0] ?? {}
	assert.deepEqual([file, statement], [FILE, 'alter table b add column more int'])
})

test('migrate rejects after its time limit with an error that names file and statement, and changes nothing', async () => {
	const release = await hold('b')
	try {
		const text = 'alter table a add column more int; alter table b add column more int'
		await assert.rejects(upgrade(text, 100), ({ message }: Error) => {
			assert.match(message, /9999_next\.sql/)
			assert.match(message, /alter table b add column more int/)
			assert.match(message, /lock timeout/)
			return true
		})
	} finally {
		await release()
	}
	const columns = await database.sql`
		select 1 from information_schema.columns where table_name = 'a' and column_name = 'more'
	`
	assert.equal(columns.length, 0)
})

test('migrate rejects without a retry on a permanent error, and names file and statement', async () => {
	await assert.rejects(upgrade('alter table a add column more int; alter table missing add column more int'), {
		message: `${FILE} failed at "alter table missing add column more int": relation "missing" does not exist`,
	})
	assert.equal(logged.length, 0)
})

test('four concurrent migrations succeed beside transactions that lock in the opposite order', async () => {
	const over = new AbortController()
	const write = async () => {
		while (!over.signal.aborted) {
			await transaction(database.sql, async (sql) => {
				await sql`update b set n = n + 1 where id = 1`
				await sleep(30)
				await sql`update a set n = n + 1 where id = 1`
			}).catch((error: { code?: string }) => assert.equal(error.code, '40P01'))
		}
	}
	const writing = Promise.all([write(), write()])
	try {
		const text = 'alter table a add column more int; select pg_sleep(0.1); alter table b add column more int'
		await Promise.all(Array.from({ length: 4 }, () => upgrade(text)))
	} finally {
		over.abort()
		await writing
	}
	assert.ok(await isApplied())
})

test('migrate refuses a PostgreSQL below 15 with its version, and applies nothing', async () => {
	// Overrides the server's own function, to report an older release.
	await database.sql.unsafe(`
		create function current_setting(text) returns text language sql as
			$$ select case $1 when 'server_version_num' then '140012' else '14.12' end $$;
		do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$;
	`)
	await assert.rejects(
		upgrade('alter table a add column more int;'),
		/PostgreSQL 14\.12, and the product needs 15 or newer\. Nothing was changed\./,
	)
	assert.equal(await isApplied(), false)
})
