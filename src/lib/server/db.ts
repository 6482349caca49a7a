import { Pool } from 'pg'
import type pg from 'pg'
import { Notifier } from './db/channels/notifier.ts'
import { addressesOf, findWritable, refuseReadOnly } from './db/hosts/database-hosts.ts'
import { getTypeParser } from './db/pg-types.ts'
import type { Log } from './log.ts'
import { Statement, type QueryText, type Rows } from './statement.ts'

/**
 * Runs SQL on the pool or in a transaction: ``await sql<Row[]>`select … where id = ${id}` ``. Values become parameters.
 * A statement used as a value becomes a part of the outer one; a statement that is awaited runs.
 */
export interface Sql {
	<T extends readonly object[] = Record<string, unknown>[]>(
		strings: TemplateStringsArray,
		...values: unknown[]
	): Statement<T>
	/** Runs SQL text that is built at run time. The text may hold several statements only without values. */
	unsafe(text: string, values?: unknown[]): Promise<Rows<Record<string, unknown>[]>>
	/**
	 * Notifies every process that listens to `channel`, after the commit when called in a transaction. Delivery is not
	 * guaranteed, so subscribers also poll. With `isProgress`, sent at most once a second.
	 */
	notify(channel: string, payload: string, options?: NotifyOptions): void
	/** Decrypts accounts' secrets; undefined for a pool that was opened without a vault. */
	readonly vault: DbOptions['vault']
}

interface NotifyOptions {
	isProgress?: boolean
}

export interface Db extends Sql {
	/** Takes a connection out of the pool. The caller returns it with `release`. */
	acquire(): Promise<pg.PoolClient>
	/** Sends pending notifications, lets running statements end, and closes the connections. */
	end(): Promise<void>
	/** Counts busy and idle connections, and statements that wait for one. */
	connections(): { busy: number; idle: number; waiting: number }
	/** The pool's name. */
	readonly pool: string
	readonly timeoutMs: number
	readonly slow: DbOptions['slow']
}

/** The account that a query reads or writes. Created only by the session check and by queries over all accounts. */
export type AccountId = number & { readonly accountId: unique symbol }

export interface DbOptions {
	/** Maximum number of connections. */
	max?: number
	/** Application name in pg_stat_activity. */
	name?: string
	/** Timeout of one statement in milliseconds; 0 means none. */
	timeoutMs?: number
	/** Logs statements that take `afterMs` or longer, failed ones included, by name and without their values. */
	slow?: { log: Log; afterMs: number } | undefined
	/** Called before each new connection. Returns the reason why none may be opened, or null. */
	refusal?: () => string | null
	vault?: { decrypt(accountId: AccountId, encrypted: Uint8Array): string } | undefined
}

const TIMEOUT_MS = 20_000
/** Milliseconds after a statement's timeout until its connection is destroyed, if the server has not cancelled it. */
const SILENCE_MS = 2000
const CONNECT_TIMEOUT_MS = 10_000
/** Milliseconds for which a transaction may idle, which bounds the locks of a client that disappeared. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** Connections without a pooler, which may keep prepared statements and settings. */
const direct = new WeakSet<pg.ClientBase>()
/** Connections to Citus, which needs a statement's values to route it. */
const distributed = new WeakSet<pg.ClientBase>()

/**
 * Opens a pool; the first statement makes the first connection. With several hosts, connects to the first that accepts
 * writes, and searches again when that host fails.
 */
export function connect(url: string, options: DbOptions = {}): Db {
	const { timeoutMs = TIMEOUT_MS, name = 'whatsapp-bulk-message', slow, vault } = options
	const addresses = addressesOf(url)
	const configure = (address: string) => clientConfig(address, name)
	const hasSeveral = addresses.length > 1
	const pool = new Pool({
		...configure(addresses[0] ?? url),
		max: options.max ?? 10,
		connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
		// oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
		onConnect: (client) =>
			answerWithin(client, CONNECT_TIMEOUT_MS, async () => {
				if (hasSeveral) await refuseReadOnly(client)
				await prepareClient(client, timeoutMs)
			}),
	})
	// Ignored: the pool replaces a broken idle connection at the next statement.
	pool.on('error', () => {})
	const acquire = async () => {
		const refusal = pool.idleCount === 0 ? options.refusal?.() : null
		if (refusal) throw new Error(refusal)
		try {
			return await pool.connect()
		} catch (error) {
			if (!hasSeveral) throw error
			const found = await findWritable(addresses, configure)
			// The pool also rejects when all its connections are in use.
			if (found === pool.options.connectionString) throw error
			pool.options.connectionString = found
			return pool.connect()
		}
	}
	const run = async (query: QueryText) => {
		const client = await acquire()
		try {
			return await send(client, query, { pool: name, timeoutMs, slow })
		} finally {
			release(client)
		}
	}
	const notifier = new Notifier((channels, payloads) =>
		run({ text: 'select pg_notify(c, p) from unnest($1::text[], $2::text[]) n (c, p)', values: [channels, payloads] }),
	)
	return Object.assign(createSql(run, { notify: (...notification) => notifier.add(...notification), vault }), {
		pool: name,
		timeoutMs,
		slow,
		connections: () => ({
			busy: pool.totalCount - pool.idleCount,
			idle: pool.idleCount,
			waiting: pool.waitingCount,
		}),
		acquire,
		async end() {
			await notifier.flush()
			await pool.end()
		},
	})
}

/** Returns the settings that all connections share. `url` names one host. */
export function clientConfig(url: string, name = 'whatsapp-bulk-message'): pg.ClientConfig {
	return {
		connectionString: url,
		application_name: name,
		keepAlive: true,
		types: { getTypeParser: getTypeParser as never },
	}
}

interface TransactionOptions {
	/** Timeout of one statement in milliseconds. */
	timeoutMs?: number
	/** Read-only; all statements read one snapshot of the database. */
	isSnapshot?: boolean
	/**
	 * Makes statements that find many rows by key use the index. The planner takes an account or campaign newer than its
	 * statistics for empty, and would scan the whole table for each row. Has no effect on Citus.
	 */
	isByKey?: boolean
}

const SNAPSHOT = ' isolation level repeatable read, read only'
const BY_KEY = '; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off'
/** SQL that makes later `set local` commands apply on the Citus workers too. */
const ON_ALL_MACHINES = `; set local citus.propagate_set_commands = 'local'`

/**
 * Runs `work` in one transaction and rolls back when it throws. Also rejects when the connection is lost, in which case
 * the COMMIT may have happened: a caller that retries must be idempotent.
 */
export async function transaction<T>(
	db: Db,
	work: (sql: Sql) => PromiseLike<T>,
	{ timeoutMs = db.timeoutMs, isSnapshot = false, isByKey = false }: TransactionOptions = {},
): Promise<T> {
	const client = await db.acquire()
	const notified: Parameters<Sql['notify']>[] = []
	let isOver = false
	let mayBeCommitted = false
	let last: Promise<unknown> = Promise.resolve()
	// Sends statements one at a time, even when the work does not await each.
	const enqueue = (query: QueryText) => {
		const next = last.then(() => send(client, query, { pool: db.pool, timeoutMs, slow: db.slow }))
		last = next.catch(() => {})
		return next
	}
	const control = (text: string) => enqueue({ text, values: [] })
	// Refuses the statements of other parts of the work after a failure, because they must not run on the rolled back
	// connection.
	const run = (query: QueryText) => (isOver ? Promise.reject(new Error('This transaction is over')) : enqueue(query))
	try {
		const further = distributed.has(client) ? ON_ALL_MACHINES : isByKey ? BY_KEY : ''
		await control(`begin${isSnapshot ? SNAPSHOT : ''}${settings(timeoutMs)}${further}`)
		const notify: Sql['notify'] = (...notification) => notified.push(notification)
		const result = await work(createSql(run, { notify, vault: db.vault }))
		isOver = true
		mayBeCommitted = true
		const { command } = await control('commit')
		mayBeCommitted = command === 'COMMIT'
		if (!mayBeCommitted) throw new Error('Nothing was committed: a statement of this transaction had failed')
		return result
	} catch (error) {
		isOver = true
		// A connection that cannot roll back is destroyed by `release`.
		await control('rollback').catch(() => {})
		throw error
	} finally {
		release(client)
		if (mayBeCommitted) for (const notification of notified) db.notify(...notification)
	}
}

/** Returns SQL for the timeouts. `set local` ends with the transaction, which also holds through a pooler. */
function settings(timeoutMs: number): string {
	return `; set local statement_timeout = ${timeoutMs}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
}

type Run = (query: QueryText) => Promise<Rows<Record<string, unknown>[]>>

function createSql(run: Run, { notify, vault }: Pick<Sql, 'notify' | 'vault'>): Sql {
	const sql = (strings: TemplateStringsArray, ...values: unknown[]) => new Statement(strings, values, run)
	return Object.assign(sql as Sql, {
		unsafe: (text: string, values: unknown[] = []) => run({ text, values }),
		notify,
		vault,
	})
}

/** Runs one statement and returns its rows with `count` and `command`. */
async function send(
	client: pg.PoolClient,
	statement: QueryText,
	{ pool, timeoutMs, slow }: Pick<Db, 'pool' | 'timeoutMs' | 'slow'>,
) {
	const { text, values, name } = statement
	const startedAtMs = performance.now()
	const isNamed = name !== undefined && direct.has(client)
	// Without values one text may hold several statements, as in `begin; set local …`.
	const query = isNamed ? { text, values, name } : values.length > 0 ? { text, values } : { text }
	const result = await answerWithin(client, timeoutMs > 0 ? timeoutMs + SILENCE_MS : 0, () =>
		client.query<Record<string, unknown>>(query),
	).finally(() => {
		const durationMs = Math.round(performance.now() - startedAtMs)
		if (slow && durationMs >= slow.afterMs)
			slow.log.warn({ statement: statement.site ?? firstWord(text), pool, durationMs }, 'slow statement')
	})
	const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<Record<string, unknown>>
	// The added properties are not enumerable, so that rows compare and print as plain arrays.
	return Object.defineProperties(last.rows, {
		count: { value: last.rowCount ?? 0 },
		command: { value: last.command },
	}) as Rows<Record<string, unknown>[]>
}

/** Returns the name of a statement that no tag made: begin, commit or rollback. */
function firstWord(text: string): string {
	return text.split(/\W/, 1)[0] ?? ''
}

/** Destroys a connection that does not answer within `timeoutMs`, which rejects its queries; 0 waits without limit. */
async function answerWithin<T>(client: pg.ClientBase, timeoutMs: number, ask: () => Promise<T>): Promise<T> {
	if (timeoutMs === 0) return ask()
	const silence = () => destroy(client, `No answer from the database within ${timeoutMs} ms`)
	const timer = setTimeout(silence, timeoutMs)
	try {
		return await ask()
	} finally {
		clearTimeout(timer)
	}
}

/** Closes a connection without the protocol's terminate message, since the server may no longer answer. */
export function destroy(client: pg.ClientBase, message: string): void {
	const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } }
	connection.stream.destroy(new Error(message))
}

/** Returns a connection to the pool. Closes it instead when it is broken or inside a transaction. */
function release(client: pg.PoolClient): void {
	client.release(client.getTransactionStatus() !== 'I')
}

/**
 * Detects a pooler such as PgBouncer, which reports its own process id and gives each transaction another connection:
 * through it, nothing is prepared or set beyond a transaction.
 */
async function prepareClient(client: pg.ClientBase, timeoutMs: number): Promise<void> {
	// Without a listener, an error between two statements would end the process.
	client.on('error', () => {})
	await answerWithin(client, CONNECT_TIMEOUT_MS, async () => {
		const { rows } = await client.query<{ pid: number; isCitus: boolean }>(
			`select pg_backend_pid() as pid, exists (select from pg_extension where extname = 'citus') as "isCitus"`,
		)
		const { processID } = client as unknown as { processID: number }
		if (rows[0]?.isCitus) distributed.add(client)
		if (rows[0]?.pid !== processID) return
		direct.add(client)
		await client.query(`set statement_timeout = ${timeoutMs}`)
	})
}
