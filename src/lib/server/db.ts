import { Pool } from 'pg'
import type pg from 'pg'
import { addressesOf, findWritable, refuseReadOnly } from './db/database-hosts.ts'
import { Notifier } from './db/notifier.ts'
import { getTypeParser } from './db/pg-types.ts'
import type { Log } from './log.ts'
import { Statement, type QueryText, type Rows } from './statement.ts'

/**
 * Runs SQL, on the pool or in a transaction: ``await sql<Row[]>`select … where id = ${id}` ``. Values become parameters. A
 * statement inside another becomes part of it; awaited, it runs.
 */
export interface Sql {
	<T extends readonly object[] = Record<string, unknown>[]>(
		strings: TemplateStringsArray,
		...values: unknown[]
	): Statement<T>
	/** SQL that is not known when the program is written. Several statements only without values. */
	unsafe(text: string, values?: unknown[]): Promise<Rows<Record<string, unknown>[]>>
	/**
	 * Notifies every process that listens to `channel`: soon, in a statement of its own, and from a transaction only when that
	 * has committed. A lost one must cost no more than the wait for the next poll. With `isProgress` it is sent at most once a
	 * second.
	 */
	notify(channel: string, payload: string, options?: NotifyOptions): void
	/** Opens secrets of accounts that stand in the database; undefined in a pool that was opened without. */
	readonly vault: DbOptions['vault']
}

interface NotifyOptions {
	isProgress?: boolean
}

export interface Db extends Sql {
	/** Takes one connection out of the pool. Whoever takes it gives it back by `release`. */
	acquire(): Promise<pg.PoolClient>
	/** Sends what was notified, lets running statements end, and closes the connections. */
	end(): Promise<void>
	/** How many connections are used and free, and how many statements wait for one. */
	connections(): { busy: number; idle: number; waiting: number }
	/** Its name. */
	readonly pool: string
	readonly timeoutMs: number
	readonly slow: DbOptions['slow']
}

/** The account that a query is about. Minted by the session gate and by queries across owners, nowhere else. */
export type AccountId = number & { readonly accountId: unique symbol }

export interface DbOptions {
	/** Connections at most. */
	max?: number
	/** Shown in pg_stat_activity. */
	name?: string
	/** How long one statement may take; 0 is for ever. */
	timeoutMs?: number
	/** Where statements are logged that take this long, whether they succeed or not: by name, without their values. */
	slow?: { log: Log; afterMs: number } | undefined
	/** Why no further connection may be opened, asked before each; null when it may. Those that are open serve on. */
	refusal?: () => string | null
	vault?: { open(accountId: AccountId, sealed: Uint8Array): string } | undefined
}

const TIMEOUT_MS = 20_000
/** The server cancels a statement at its timeout; a connection that is silent for this much longer is destroyed. */
const SILENCE_MS = 2000
const CONNECT_TIMEOUT_MS = 10_000
/** A client that vanished inside a transaction keeps its locks no longer than this. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** Connections without a pooler in between, which may keep prepared statements and settings. */
const direct = new WeakSet<pg.ClientBase>()
/** Connections to Citus, which needs a statement's values to know where to send it. */
const distributed = new WeakSet<pg.ClientBase>()

/**
 * Opens a pool. Nothing is connected before the first statement. Of several hosts the first that takes writes is connected
 * to, and looked for again when that one cannot be.
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
	// An idle connection that breaks is replaced at the next statement.
	pool.on('error', () => {})
	const acquire = async () => {
		const refusal = pool.idleCount === 0 ? options.refusal?.() : null
		if (refusal) throw new Error(refusal)
		try {
			return await pool.connect()
		} catch (error) {
			if (!hasSeveral) throw error
			const found = await findWritable(addresses, configure)
			// The pool also refuses when all its connections are in use.
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

/** What every connection of ours has in common. `url` names one host. */
export function clientConfig(url: string, name = 'whatsapp-bulk-message'): pg.ClientConfig {
	return {
		connectionString: url,
		application_name: name,
		keepAlive: true,
		types: { getTypeParser: getTypeParser as never },
	}
}

interface TransactionOptions {
	/** How long one statement may take. */
	timeoutMs?: number
	/** All statements read the database as the first one found it, and none writes. */
	isSnapshot?: boolean
	/**
	 * For statements that find many rows by their keys: the planner looks at no values. An account or a campaign that is newer
	 * than its statistics it takes for empty, and would read the whole of it for each row. Not on Citus.
	 */
	isByKey?: boolean
}

const SNAPSHOT = ' isolation level repeatable read, read only'
const BY_KEY = '; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off'
/** What `set local` sets from then on holds on the machines of the accounts too. Timeouts of statements are the coordinator's. */
const ON_ALL_MACHINES = `; set local citus.propagate_set_commands = 'local'`

/**
 * Runs `work` in one transaction; what it throws rolls everything back. It also rejects when the connection was lost, and
 * then a COMMIT may or may not have happened: whoever repeats the work must be idempotent against its first run.
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
	// One statement after the other, also when the work does not wait for each.
	const enqueue = (query: QueryText) => {
		const next = last.then(() => send(client, query, { pool: db.pool, timeoutMs, slow: db.slow }))
		last = next.catch(() => {})
		return next
	}
	const control = (text: string) => enqueue({ text, values: [] })
	// Work of which one part failed while others went on must not run those on the connection that has rolled back.
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
		// A connection that cannot roll back is not at rest, and so is destroyed.
		await control('rollback').catch(() => {})
		throw error
	} finally {
		release(client)
		if (mayBeCommitted) for (const notification of notified) db.notify(...notification)
	}
}

/** `set local` holds until the end of the transaction, through a pooler too. */
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

/** Runs one statement, and makes its answer what a statement of ours returns. */
async function send(
	client: pg.PoolClient,
	statement: QueryText,
	{ pool, timeoutMs, slow }: Pick<Db, 'pool' | 'timeoutMs' | 'slow'>,
) {
	const { text, values, name } = statement
	const startedAtMs = performance.now()
	const isNamed = name !== undefined && direct.has(client)
	// Without values several statements may stand in one text, as in `begin; set local …`.
	const query = isNamed ? { text, values, name } : values.length > 0 ? { text, values } : { text }
	const result = await answerWithin(client, timeoutMs > 0 ? timeoutMs + SILENCE_MS : 0, () =>
		client.query<Record<string, unknown>>(query),
	).finally(() => {
		const durationMs = Math.round(performance.now() - startedAtMs)
		if (slow && durationMs >= slow.afterMs)
			slow.log.warn({ statement: statement.site ?? firstWord(text), pool, durationMs }, 'slow statement')
	})
	const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult<Record<string, unknown>>
	// Not enumerable, so that rows compare and print as the array they are.
	return Object.defineProperties(last.rows, {
		count: { value: last.rowCount ?? 0 },
		command: { value: last.command },
	}) as Rows<Record<string, unknown>[]>
}

/** What stands for SQL that no tag made: begin, commit and rollback. */
function firstWord(text: string): string {
	return text.split(/\W/, 1)[0] ?? ''
}

/** Destroys a connection that has not answered in this time, which rejects what was asked; 0 waits for ever. */
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

/** Closes a connection without the protocol's goodbye, as the server may no longer answer. */
export function destroy(client: pg.ClientBase, message: string): void {
	const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } }
	connection.stream.destroy(new Error(message))
}

/** Gives a connection back, unless it is broken or inside a transaction: then it is closed. */
function release(client: pg.PoolClient): void {
	client.release(client.getTransactionStatus() !== 'I')
}

/**
 * A pooler such as PgBouncer answers under a process number of its own, and hands each transaction to another connection:
 * then nothing may be prepared or set for longer than a transaction.
 */
async function prepareClient(client: pg.ClientBase, timeoutMs: number): Promise<void> {
	// Without a listener an error between two statements would end the process.
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
