import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { MINUTE_MS } from '#lib/durations.ts'
import { connect, transaction, type Db, type Sql } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { distribute, isDistributed, prepareSchemaChange } from './distribute.ts'
import { listMigrations, SCHEMA_FOLDER } from './schema.ts'
import { splitStatements } from './split-statements.ts'

/** Key of the advisory lock that admits one migrating process. An arbitrary number, equal in every process. */
const MIGRATION_LOCK = 20_261_121
const NO_TIMEOUT = { timeoutMs: 0 }

/** Lock timeout in milliseconds: all other statements on the table queue behind a waiting migration. */
const LOCK_TIMEOUT_MS = 2000
/**
 * First and longest pause between attempts in milliseconds; each pause is twice the last. During a pause, the statements
 * that wait behind the migration run.
 */
const RETRY_MS = 500
const MAX_RETRY_MS = 15_000
/**
 * Milliseconds for which `migrate` retries a migration that could not get its locks. Afterwards an operator must end the
 * transaction that holds them.
 */
const GIVE_UP_AFTER_MS = 10 * MINUTE_MS

/** Oldest supported PostgreSQL, as a `server_version_num`. */
const OLDEST_SERVER = 150_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const MAX_SHOWN = 300

export interface MigrateOptions {
	/** True to distribute the tables of a database that is not distributed yet. */
	isDistributing?: boolean
	/** Folder with migrations/ and citus.sql; the product's own by default. */
	folder?: URL
	log?: Pick<Log, 'info' | 'warn'>
	/** Milliseconds for which a migration that could not get its locks is retried. */
	retryMs?: number
}

/**
 * Applies each pending file of db/migrations in order, each in its own transaction and one statement at a time, as
 * Citus requires; then distributes new tables of a distributed database. Safe beside processes of this release and the
 * preceding one; of several migrating processes one works and the others wait. Its lock needs a connection without a
 * pooler. Returns the names of the distributed tables. Throws, and writes nothing, on a PostgreSQL below 15.
 */
export async function migrate(
	url: string,
	{ isDistributing = false, folder = SCHEMA_FOLDER, log, retryMs = GIVE_UP_AFTER_MS }: MigrateOptions = {},
): Promise<string[]> {
	const db = connect(url, { max: 2, name: 'migrate', ...NO_TIMEOUT })
	try {
		await refuseOldServer(db)
		return await withLock(db, async () => {
			await applyFiles(db, folder, (apply) => retryLocks(apply, { log, retryMs }))
			return isDistributing || (await isDistributed(db)) ? distribute(db, new URL('citus.sql', folder)) : []
		})
	} finally {
		await db.end()
	}
}

/** Throws when the server is older than OLDEST_SERVER. */
async function refuseOldServer(sql: Sql): Promise<void> {
	const [server] = await sql<{ number: number; version: string }[]>`
		select current_setting('server_version_num')::integer as number, current_setting('server_version') as version
	`
	if (!server || server.number >= OLDEST_SERVER) return
	throw new Error(
		`The database is PostgreSQL ${server.version}, and the product needs 15 or newer. Nothing was changed. ` +
			'Upgrade the server, or set DATABASE_URL to the address of a newer one.',
	)
}

type Retry = (work: () => Promise<void>) => Promise<void>

async function applyFiles(db: Db, folder: URL, retry: Retry): Promise<void> {
	await db`create table if not exists schema_migrations (file text primary key, applied_at timestamptz not null default now())`
	const applied = new Set((await db`select file from schema_migrations`).map((row) => String(row.file)))
	for (const file of listMigrations(folder).filter((name) => !applied.has(name))) {
		const statements = splitStatements(await readFile(new URL(`migrations/${file}`, folder), 'utf8'))
		await retry(() => transaction(db, (sql) => applyFile(sql, file, statements)))
	}
}

async function applyFile(sql: Sql, file: string, statements: readonly string[]): Promise<void> {
	await prepareSchemaChange(sql)
	await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
	for (const statement of statements)
		await sql.unsafe(statement).catch((error: unknown) => {
			throw new MigrationError(file, statement, error)
		})
	await sql`insert into schema_migrations (file) values (${file})`
}

/** Error that names the file and statement that failed, and the cause. */
class MigrationError extends Error {
	readonly file: string
	readonly statement: string
	declare readonly cause: Error

	constructor(file: string, statement: string, reason: unknown) {
		const cause = reason instanceof Error ? reason : new Error(String(reason))
		const line = statement.replaceAll(/^[ \t]*--.*$/gm, '').replaceAll(/\s+/g, ' ')
		const shown = line.trim().slice(0, MAX_SHOWN)
		super(`${file} failed at "${shown}": ${cause.message}`, { cause })
		this.file = file
		this.statement = shown
	}
}

/**
 * Repeats work that was rolled back for a missing lock or a deadlock, with growing pauses, until it succeeds. Throws
 * the last error when the next attempt would begin after `retryMs`.
 */
async function retryLocks(
	work: () => Promise<void>,
	{ log, retryMs }: { log: MigrateOptions['log']; retryMs: number },
): Promise<void> {
	const deadline = performance.now() + retryMs
	for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, MAX_RETRY_MS)) {
		try {
			return await work()
		} catch (error) {
			if (!(error instanceof MigrationError) || !isLockConflict(error.cause)) throw error
			if (performance.now() + waitMs > deadline) throw error
			const { file, statement, cause } = error
			log?.warn({ file, statement, reason: cause.message }, 'a migration could not get its locks and is tried again')
			await sleep(waitMs)
		}
	}
}

function isLockConflict(error: Error): boolean {
	return error instanceof DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK)
}

/** Holds the advisory lock on one connection while `work` runs on another. */
async function withLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
	const client = await db.acquire()
	try {
		await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
		return await work()
	} finally {
		client.release(true)
	}
}
