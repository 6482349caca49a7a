import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Db } from '#lib/server/db.ts'
import { prepareJobs } from '#lib/server/jobs.ts'
import { migrate } from '#lib/server/migrate.ts'
import { identifier } from '#lib/server/statement.ts'
import { startTestPostgres } from './postgres-server.ts'

/** Any number; the same in every process, so that only one builds the template at a time. */
const TEMPLATE_LOCK = 20_261_122

let server: ReturnType<typeof findServer> | undefined
let databases = 0

/** An empty migrated database of its own, copied from a template in some 30 ms. `drop` closes `sql` and removes it. */
export async function createTestDatabase(): Promise<{ url: string; sql: Db; drop: () => Promise<void> }> {
	databases++
	server ??= findServer()
	const { url: serverUrl } = await server
	const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
	await asAdmin(serverUrl, async (admin) => {
		await admin`create database ${identifier(name)} template ${identifier(await ensureTemplate(admin, serverUrl))}`
	})
	const url = urlOf(serverUrl, name)
	const sql = connect(url, { name })
	return {
		url,
		sql,
		async drop() {
			await sql.end()
			await asAdmin(serverUrl, (admin) => admin`drop database if exists ${identifier(name)} with (force)`)
			databases--
			// Hooks run in the order of their making, so none could know that it is the last one to need the server.
			setTimeout(() => void stopUnusedServer(), 300)
		},
	}
}

// scripts/test.ts starts one server for all files. A file that is run by hand starts its own.
async function findServer() {
	const given = process.env.TEST_DATABASE_URL
	return given ? { url: given, stop: async () => {} } : startTestPostgres()
}

async function stopUnusedServer() {
	if (databases > 0 || !server) return
	const unused = server
	server = undefined
	await (await unused).stop()
}

// Built under another name and renamed when complete: an interrupted run leaves no half of a template.
async function ensureTemplate(admin: Db, serverUrl: string) {
	const template = `template_${hashOfSchema()}`
	const building = `${template}_building`
	await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`
	const [existing] = await admin`select 1 from pg_database where datname = ${template}`
	if (!existing) {
		await admin`drop database if exists ${identifier(building)} with (force)`
		await admin`create database ${identifier(building)}`
		await migrate(urlOf(serverUrl, building))
		await prepareJobs(urlOf(serverUrl, building))
		await admin`alter database ${identifier(building)} rename to ${identifier(template)}`
	}
	await admin`select pg_advisory_unlock(${TEMPLATE_LOCK})`
	return template
}

function hashOfSchema() {
	const root = new URL('../', import.meta.url)
	const migrations = readdirSync(new URL('db/migrations', root)).toSorted()
	const hash = createHash('sha256')
	for (const path of [...migrations.map((file) => `db/migrations/${file}`), 'src/lib/server/jobs.ts', 'package.json']) {
		hash.update(`${path}\0`).update(readFileSync(new URL(path, root)))
	}
	return hash.digest('hex').slice(0, 12)
}

async function asAdmin(serverUrl: string, work: (admin: Db) => PromiseLike<unknown>) {
	const admin = connect(serverUrl, { max: 1, name: 'test databases', timeoutMs: 0 })
	try {
		await work(admin)
	} finally {
		await admin.end()
	}
}

function urlOf(serverUrl: string, database: string) {
	const url = new URL(serverUrl)
	url.pathname = `/${database}`
	return url.href
}
