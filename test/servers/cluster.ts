import { Pool } from 'pg'
import { clientConfig, connect, type Db } from '#lib/server/db.ts'
import { identifier } from '#lib/server/statement.ts'

/** Number of shards of each table; small, because every test database has its own shards. */
const SHARD_COUNT = 4

/** Returns the addresses of all machines of a Citus cluster, the coordinator's first; null for any other server. */
export async function findNodes(serverUrl: string): Promise<string[] | null> {
	return asAdmin(serverUrl, async (admin) => {
		const [citus] = await admin`select 1 from pg_extension where extname = 'citus'`
		if (!citus) return null
		const workers = await admin<{ name: string; port: number }[]>`
			select nodename as name, nodeport as port from pg_dist_node
			where groupid <> 0 and noderole = 'primary' and isactive order by groupid
		`
		return workers.length === 0 ? null : [serverUrl, ...workers.map(({ name, port }) => atNode(serverUrl, name, port))]
	})
}

/** Creates an empty database on all nodes, ready to be distributed. */
export async function createOnNodes(nodes: readonly string[], name: string): Promise<void> {
	await onAllNodes(nodes, (admin) => admin`create database ${identifier(name)}`)
	await Promise.all(nodes.map((node) => asAdmin(urlOf(node, name), (db) => db`create extension citus`)))
	const [coordinator = '', ...workers] = nodes
	await asAdmin(urlOf(coordinator, name), async (db) => {
		await db.unsafe(`alter database "${name}" set citus.shard_count = ${SHARD_COUNT}`)
		await db`select citus_set_coordinator_host(${new URL(coordinator).hostname}, ${portOf(coordinator)})`
		for (const worker of workers) await db`select citus_add_node(${new URL(worker).hostname}, ${portOf(worker)})`
	})
}

/** Closes a distributed database to all connections, including those of Citus, so that it can be used as a template. */
export async function closeOnNodes(nodes: readonly string[], name: string): Promise<void> {
	// Citus' row about the database itself has the oid of the database, which a copy does not have.
	await Promise.all(
		nodes.map((node) =>
			asAdmin(urlOf(node, name), (db) => db`delete from pg_dist_object where classid = 'pg_database'::regclass`),
		),
	)
	await disconnect(nodes, name)
}

/**
 * Ends all connections to a database and refuses new ones on every machine, before any machine drops it. Citus' processes of a
 * database connect to those of the other machines and would wait for one another.
 */
export async function disconnect(nodes: readonly string[], name: string): Promise<void> {
	await onAllNodes(nodes, async (admin) => {
		const [existing] = await admin`select 1 from pg_database where datname = ${name}`
		if (existing) await admin`alter database ${identifier(name)} with allow_connections false`
	})
	await onAllNodes(
		nodes,
		(admin) => admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`,
	)
}

export function onAllNodes(nodes: readonly string[], work: (admin: Db) => PromiseLike<unknown>): Promise<unknown> {
	return Promise.all(nodes.map((node) => asAdmin(node, work)))
}

/** Connections that stay open for the next file of this process, by server. */
const kept = new Map<string, Pool>()

/** Runs a statement without values on all nodes, over connections that stay open and keep no process from ending. */
export function runOnAllNodes(nodes: readonly string[], text: string): Promise<unknown> {
	return Promise.all(nodes.map((node) => keptPool(node).query(text)))
}

function keptPool(serverUrl: string): Pool {
	const known = kept.get(serverUrl)
	if (known) return known
	const pool = new Pool({
		...clientConfig(serverUrl, 'test databases'),
		max: 2,
		idleTimeoutMillis: 0,
		allowExitOnIdle: true,
	})
	// Ignored: the server has stopped, or the next statement opens another connection.
	pool.on('error', () => {})
	kept.set(serverUrl, pool)
	return pool
}

export async function asAdmin<T>(serverUrl: string, work: (admin: Db) => PromiseLike<T>): Promise<T> {
	const admin = connect(serverUrl, { max: 1, name: 'test databases', timeoutMs: 0 })
	try {
		return await work(admin)
	} finally {
		await admin.end()
	}
}

export function urlOf(serverUrl: string, database: string): string {
	const url = new URL(serverUrl)
	url.pathname = `/${database}`
	return url.href
}

function atNode(serverUrl: string, name: string, port: number): string {
	const url = new URL(serverUrl)
	url.hostname = name
	url.port = String(port)
	return url.href
}

const portOf = (url: string) => Number(new URL(url).port || 5432)
