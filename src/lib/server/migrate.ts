import { readdir, readFile } from 'node:fs/promises'
import { connect, transaction, type Db } from './db.ts'
import { distribute, isDistributed, prepareSchemaChange } from './distribute.ts'
import { splitStatements } from './split-statements.ts'

const SCHEMA_FOLDER = new URL('../../../db/', import.meta.url)
/** The advisory lock that lets one process at a time migrate; any number, the same in every process. */
const MIGRATION_LOCK = 20_261_121
const NO_TIMEOUT = { timeoutMs: 0 }

export interface MigrateOptions {
	/** Distributes the tables of a database that was not distributed before. */
	isDistributing?: boolean
	/** Holds migrations/ and citus.sql; the product's own unless said otherwise. */
	folder?: URL
}

/**
 * Brings a database up to date: each file of db/migrations once, in order, each in a transaction of its own, one statement at
 * a time as distributed tables ask for. Where the database is distributed, its new tables then are, too. Needs a connection
 * without a pooler in between, for its lock. Returns the tables that it distributed.
 */
export async function migrate(
	url: string,
	{ isDistributing = false, folder = SCHEMA_FOLDER }: MigrateOptions = {},
): Promise<string[]> {
	const db = connect(url, { max: 2, name: 'migrate', ...NO_TIMEOUT })
	try {
		return await withLock(db, async () => {
			await applyFiles(db, folder)
			return isDistributing || (await isDistributed(db)) ? distribute(db, new URL('citus.sql', folder)) : []
		})
	} finally {
		await db.end()
	}
}

async function applyFiles(db: Db, folder: URL): Promise<void> {
	await db`create table if not exists schema_migrations (file text primary key, applied_at timestamptz not null default now())`
	const applied = new Set((await db`select file from schema_migrations`).map((row) => String(row.file)))
	for (const file of (await listFiles(folder)).filter((name) => !applied.has(name))) {
		const statements = splitStatements(await readFile(new URL(`migrations/${file}`, folder), 'utf8'))
		await transaction(db, async (sql) => {
			await prepareSchemaChange(sql)
			for (const statement of statements) await sql.unsafe(statement)
			await sql`insert into schema_migrations (file) values (${file})`
		})
	}
}

/** Holds a lock on one connection while `work` runs on another. */
async function withLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
	const client = await db.acquire()
	try {
		await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
		return await work()
	} finally {
		client.release(true)
	}
}

async function listFiles(folder: URL): Promise<string[]> {
	return (await readdir(new URL('migrations/', folder))).filter((file) => file.endsWith('.sql')).toSorted()
}

/** Whether every migration file has been applied, for the readiness check. */
export async function isMigrated(db: Db): Promise<boolean> {
	const [row] = await db<{ applied: number }[]>`select count(*) as applied from schema_migrations`
	return row !== undefined && row.applied >= (await listFiles(SCHEMA_FOLDER)).length
}
