import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { connect, transaction, type Db, type Sql } from '../db.ts'
import type { Log } from '../log.ts'
import { distribute, isDistributed, prepareSchemaChange } from './distribute.ts'
import { listMigrations, SCHEMA_FOLDER } from './schema.ts'
import { splitStatements } from './split-statements.ts'

/** The advisory lock that lets one process at a time migrate; any number, the same in every process. */
const MIGRATION_LOCK = 20_261_121
const NO_TIMEOUT = { timeoutMs: 0 }

/** While a statement waits for a table's lock, everybody else who needs that table waits behind it. */
const LOCK_TIMEOUT_MS = 2000
/** Between two attempts, in which those who waited go on; doubled with each, up to the second. */
const RETRY_MS = 500
const MAX_RETRY_MS = 15_000
/** After so long, whatever holds the lock has to be ended by a person. */
const GIVE_UP_AFTER_MS = 10 * 60_000

/** The first PostgreSQL that has all that the migrations and statements use, as `server_version_num` writes it. */
const OLDEST_SERVER = 150_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const MAX_SHOWN = 300

export interface MigrateOptions {
	/** Distributes the tables of a database that was not distributed before. */
	isDistributing?: boolean
	/** Holds migrations/ and citus.sql; the product's own unless said otherwise. */
	folder?: URL
	log?: Pick<Log, 'info' | 'warn'>
	/** For how long a migration that gets no lock is tried again. */
	retryMs?: number
}

/**
 * Brings a database up to date: each file of db/migrations once, in order, each in a transaction of its own, one statement at
 * a time as distributed tables ask for. Where the database is distributed, its new tables then are, too. May run beside
 * processes of this release and the one before; of several that migrate, one does, and the others wait. Needs a connection
 * without a pooler in between, for its lock. Returns the tables that it distributed. Throws, and writes nothing, on a
 * PostgreSQL below 15.
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

/** Throws where the server is older than the statements of the product. */
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

/** Says which statement of which file failed, and why. */
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

/** Repeats work that was rolled back because it did not get a lock, or to resolve a deadlock, with growing waits in between. */
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
