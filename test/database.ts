import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { after } from 'node:test'
import { connect, type Db } from '#lib/server/db.ts'
import { migrate } from '#lib/server/db/schema/migrate.ts'
import { createVault } from '#lib/server/secrets.ts'
import { identifier } from '#lib/server/statement.ts'
import { findRefused, recordWrites, takeWrites } from './readers/citus-refusals.ts'
import {
	asAdmin,
	closeOnNodes,
	createOnNodes,
	disconnect,
	onAllNodes,
	findNodes,
	runOnAllNodes,
	urlOf,
} from './servers/cluster.ts'
import { startTestPostgres } from './servers/postgres-server.ts'

/** Advisory lock that only one process at a time holds while it builds the template; the same number in every process. */
const TEMPLATE_LOCK = 20_261_122

/** Encryption key of tests without a key of their own. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 7)

recordWrites()

let server: ReturnType<typeof findServer> | undefined
let databases = 0

export interface TestDatabase {
	/** URL that may lead through a pooler. */
	url: string
	/** URL that bypasses the pooler, for connections that LISTEN, lock or prepare. */
	directUrl: string
	sql: Db
	/** Closes `sql` and removes the database. */
	drop(): Promise<void>
	/** Closes `sql`, and on a cluster the database to all connections, so that it can be copied. Returns its name. */
	keep(): Promise<string>
}

interface TestServer {
	url: string
	directUrl: string
	/** Direct addresses of all machines of a cluster, or of the one server. */
	nodes: string[]
	isCluster: boolean
	/** Name of the database that is copied. */
	template?: Promise<string>
	stop(): Promise<void>
}

/**
 * Creates a database as a copy of `original`, or of an empty migrated one. On a Citus coordinator it is distributed and copied
 * on every machine. A copy of `template0` has no tables and is not distributed.
 */
export async function createTestDatabase(original?: string): Promise<TestDatabase> {
	databases++
	server ??= findServer()
	const found = await server
	const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
	const template = original ?? (await (found.template ??= ensureTemplate(found)))
	await runOnAllNodes(found.nodes, `create database "${name}" template "${template}" strategy file_copy`)
	const url = urlOf(found.url, name)
	const sql = connect(url, { name, vault: createVault(TEST_SECRET_KEY) })
	return {
		url,
		directUrl: urlOf(found.directUrl, name),
		sql,
		async drop() {
			await sql.end()
			// A cluster refuses statements itself, and a copy of template0 has none of their tables.
			const isChecked = !found.isCluster && original !== 'template0'
			const refused = isChecked ? await findRefused(urlOf(found.directUrl, name), takeWrites()) : []
			await dropEverywhere(found, name)
			databases--
			// Hooks run in the order of creation, so none knows if it is the last one that needs the server.
			setTimeout(() => void stopUnusedServer(), 300)
			assert.deepEqual(
				refused,
				[],
				'Citus refuses these statements: docs/decisions/0036-no-row-is-inserted-for-another.md',
			)
		},
		async keep() {
			await sql.end()
			if (found.isCluster) await closeOnNodes(found.nodes, name)
			return name
		},
	}
}

/** Creates a test database for a test file and drops it after the tests. */
export async function launchTestDatabase(original?: string): Promise<TestDatabase> {
	const database = await createTestDatabase(original)
	after(() => database.drop())
	return database
}

// Returns the server that scripts/test.ts has started for all files. A file that is run by hand starts its own.
async function findServer(): Promise<TestServer> {
	const given = process.env.TEST_DATABASE_URL
	if (!given) {
		const { url, stop } = await startTestPostgres({ isKept: true })
		return { url, directUrl: url, nodes: [url], isCluster: false, stop }
	}
	const directUrl = process.env.TEST_LISTEN_URL || given
	const nodes = await findNodes(directUrl)
	return { url: given, directUrl, nodes: nodes ?? [directUrl], isCluster: nodes !== null, stop: async () => {} }
}

/** Stops the server that this process has started. One that was given stays known for the next file. */
async function stopUnusedServer() {
	if (databases > 0 || !server || process.env.TEST_DATABASE_URL) return
	const unused = server
	server = undefined
	await (await unused).stop()
}

// Returns the name of the migrated template database. Builds it under another name and renames it when complete, so that an
// interrupted run leaves no incomplete template. The coordinator's is renamed last, because its name marks the template as
// complete.
function ensureTemplate(found: TestServer): Promise<string> {
	const template = `template_${hashOfSchema()}`
	const building = `${template}_building`
	return asAdmin(found.directUrl, async (admin) => {
		// The pool would close an idle connection after ten seconds, and with it release the lock.
		const locking = await admin.acquire()
		try {
			await locking.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
			const { rowCount } = await locking.query('select 1 from pg_database where datname = $1', [template])
			if (rowCount === 1) return template
			await dropEverywhere(found, building)
			await dropEverywhere(found, template)
			await buildTemplate(found, building)
			for (const node of found.nodes.toReversed()) {
				await asAdmin(node, (each) => each`alter database ${identifier(building)} rename to ${identifier(template)}`)
			}
			return template
		} finally {
			locking.release(true)
		}
	})
}

async function buildTemplate({ directUrl, nodes, isCluster }: TestServer, name: string) {
	if (isCluster) await createOnNodes(nodes, name)
	else await onAllNodes(nodes, (admin) => admin`create database ${identifier(name)}`)
	await migrate(urlOf(directUrl, name), { isDistributing: isCluster })
	if (isCluster) await closeOnNodes(nodes, name)
}

async function dropEverywhere({ nodes }: TestServer, name: string) {
	if (nodes.length > 1) await disconnect(nodes, name)
	await runOnAllNodes(nodes, `drop database if exists "${name}" with (force)`)
}

function hashOfSchema() {
	const root = new URL('../', import.meta.url)
	const migrations = readdirSync(new URL('db/migrations', root)).toSorted()
	const hash = createHash('sha256')
	const files = [
		...migrations.map((file) => `db/migrations/${file}`),
		'db/citus.sql',
		'src/lib/server/jobs/jobs.ts',
		'package.json',
	]
	for (const path of files) {
		hash.update(`${path}\0`).update(readFileSync(new URL(path, root)))
	}
	return hash.digest('hex').slice(0, 12)
}
