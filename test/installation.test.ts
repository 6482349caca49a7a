import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { composeHooks } from '#app/server/compose.ts'
import { readEnv } from '#app/server/env.ts'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { checkDatabase, checkFolder } from '#features/auth/server/installation/installation.ts'
import { DEMO_ADMIN, DEMO_USER } from '../scripts/demo/data.ts'
import { exposureOfDemo } from '../scripts/demo/exposure.ts'
import { startChild } from './child-process.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { account } from './factories.ts'
import { START_TIMEOUT_MS } from './until.ts'

const SERVE = 'scripts/serve.ts'
const START = 'scripts/start.ts'
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const env = readEnv({ SECRET_KEY })

let database: TestDatabase
let dataDir: string
before(async () => {
	database = await createTestDatabase()
})
beforeEach(async () => {
	dataDir = await mkdtemp(join(tmpdir(), 'test-installation-'))
	await database.sql`delete from installation`
	await database.sql`update users set deleted_at = now()`
})
after(async () => {
	await database.drop()
	await rm(dataDir, { recursive: true, force: true })
})

interface Run {
	isReady: boolean
	code: number | null
	output: string
}

/** Runs a program until it exits, or until it is ready, and then ends it. */
async function run(file: string, variables: Record<string, string>): Promise<Run> {
	const child = startChild([fileURLToPath(new URL(`../${file}`, import.meta.url))], {
		env: { PATH: process.env.PATH, HOME: dataDir, PORT: '0', DATA_DIR: dataDir, ...variables },
		stdio: ['ignore', 'pipe', 'pipe'],
	})
	const state = { output: '', isReady: false }
	const listen = (chunk: Buffer) => {
		state.output += chunk.toString()
		if (state.isReady || !/"msg":"ready"|is ready at/.test(state.output)) return
		state.isReady = true
		child.kill('SIGTERM')
	}
	child.stdout?.on('data', listen)
	child.stderr?.on('data', listen)
	const limit = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS)
	const [code] = (await once(child, 'exit')) as [number | null]
	clearTimeout(limit)
	return { ...state, code }
}

const serve = (variables: Record<string, string> = {}) =>
	run(SERVE, {
		DATABASE_URL: database.url,
		LISTEN_URL: database.directUrl,
		SECRET_KEY,
		NODE_ENV: 'production',
		PUBLIC_URL: 'https://messages.example.com',
		...variables,
	})
const kinds = async () =>
	(await database.sql<{ kind: string }[]>`select kind from installation`).map(({ kind }) => kind)
const person = (email: string, role: 'admin' | 'user') =>
	account({ db: database.sql, env, ...composeHooks(env) }, { email, role })

// A start takes seconds. One start by kind of refusal proves that a program makes the check and prints its message; the other
// cases call the check.
const DEMO_DATABASE = /The database holds the demo of npm start.*Set DATABASE_URL to another database/
const demoFolder = () => `The folder ${dataDir} holds the demo of npm start`
const PRODUCTION_DATABASE = /The database belongs to a production installation/

test('serve without an admin marks an empty database and DATA_DIR as production, names the variables that create an admin, and starts on them again', async () => {
	for (let start = 0; start < 2; start++) {
		const { isReady, code, output } = await serve()
		assert.deepEqual([isReady, code], [true, 0], output)
		assert.match(output, /there is no active admin: set both ADMIN_EMAIL and ADMIN_PASSWORD/)
		assert.deepEqual(await kinds(), ['production'])
		assert.equal(await readFile(join(dataDir, 'installation'), 'utf8'), 'production\n')
	}
})

test('serve refuses a SECRET_KEY that does not decrypt the database’s secrets, and accepts the right one as an older key', async () => {
	assert.equal((await serve()).code, 0)
	const otherKey = Buffer.alloc(32, 8).toString('base64')
	const { isReady, code, output } = await serve({ SECRET_KEY: otherKey })
	assert.deepEqual([isReady, code], [false, 1])
	assert.match(output, /^SECRET_KEY is not the key of this database.*npm run reencrypt/)
	const rotated = await serve({ SECRET_KEY: otherKey, SECRET_KEYS_OLD: SECRET_KEY })
	assert.deepEqual([rotated.isReady, rotated.code], [true, 0], rotated.output)
})

test('serve refuses a demo database, marked or only with the demo accounts, and names the variable to set', async () => {
	await database.sql`insert into installation (kind) values ('demo')`
	const { isReady, code, output } = await serve()
	assert.deepEqual([isReady, code], [false, 1])
	assert.ok(output.startsWith('The database holds'), output)
	assert.match(output, DEMO_DATABASE)
	await database.sql`delete from installation`
	await person(DEMO_ADMIN.email, 'admin')
	await person(DEMO_USER.email, 'user')
	await assert.rejects(checkDatabase(database.directUrl, 'production'), DEMO_DATABASE)
	assert.deepEqual(await kinds(), [])
})

test('serve refuses a DATA_DIR with the current or an earlier mark of a demo', async () => {
	for (const [file, text] of [
		['installation', 'demo\n'],
		['demo-data', '2026-01-01T00:00:00.000Z\n'],
	] as const) {
		await rm(dataDir, { recursive: true, force: true })
		await mkdir(dataDir)
		await writeFile(join(dataDir, file), text)
		await assert.rejects(checkFolder(dataDir, 'production'), (error: Error) => error.message.startsWith(demoFolder()))
	}
	const { code, output } = await serve()
	assert.equal(code, 1)
	assert.ok(output.startsWith(demoFolder()), output)
})

test('start refuses DATABASE_URL, NODE_ENV=production and an address that others can reach, and names each', async () => {
	const cases: [Record<string, string>, RegExp][] = [
		[{ DATABASE_URL: database.url }, /DATABASE_URL is set/],
		[{ NODE_ENV: 'production' }, /NODE_ENV is production/],
		[{ HOST: '0.0.0.0' }, /HOST is 0\.0\.0\.0/],
		[{ HOST: '127.0.0.1.example.com', DEMO: '0' }, /HOST is 127\.0\.0\.1\.example\.com/],
	]
	for (const [variables, reason] of cases) {
		const reasons = exposureOfDemo(variables)
		assert.equal(reasons.length, 1)
		assert.match(reasons[0] ?? '', reason)
	}
	const everything = Object.assign({}, ...cases.map(([variables]) => variables)) as Record<string, string>
	const { isReady, code, output } = await run(START, everything)
	assert.deepEqual([isReady, code], [false, 1])
	for (const reason of exposureOfDemo(everything)) assert.ok(output.includes(`\n  - ${reason}\n`), output)
	assert.match(output, /use npm run serve\. If you do want the demo, set DEMO=1\./)
	assert.deepEqual(await kinds(), [])
})

test('start with DEMO=1 refuses a production database, marked or recognised by its users, and creates no demo account', async () => {
	await person('owner@example.com', 'admin')
	const { isReady, code, output } = await run(START, { DEMO: '1', DATABASE_URL: database.url })
	assert.deepEqual([isReady, code], [false, 1])
	assert.match(output, PRODUCTION_DATABASE)
	await database.sql`insert into installation (kind) values ('production')`
	await database.sql`update users set deleted_at = now()`
	await assert.rejects(checkDatabase(database.directUrl, 'demo'), PRODUCTION_DATABASE)
	const made = await database.sql`select 1 from users where email = ${DEMO_ADMIN.email} and deleted_at is null`
	assert.equal(made.length, 0)
})

test('start with DEMO=1 creates its demo in an empty database, which serve then refuses', async () => {
	const fresh = await createTestDatabase()
	try {
		const variables = { DEMO: '1', DATABASE_URL: fresh.url, LISTEN_URL: fresh.directUrl, NODE_ENV: 'production' }
		const started = await run(START, variables)
		assert.equal(started.isReady, true, started.output)
		const [row] = await fresh.sql<{ kind: string }[]>`select kind from installation`
		assert.equal(row?.kind, 'demo')
		const { code } = await serve({ DATABASE_URL: fresh.url, LISTEN_URL: fresh.directUrl })
		assert.equal(code, 1)
	} finally {
		await fresh.drop()
	}
})

test('start refuses a folder that another server uses, and does not change the journal of its network', async () => {
	const log = { info: () => {}, warn: console.error, error: console.error }
	const other = await startEmbeddedPostgres({ dataDir, log })
	try {
		const journal = join(dataDir, 'simulator', 'journal.jsonl')
		await mkdir(join(dataDir, 'simulator'))
		await writeFile(journal, '["of the other"]\n')
		const { isReady, code, output } = await run(START, {})
		assert.deepEqual([isReady, code], [false, 1])
		assert.match(output, /^Another server \(pid \d+\) is using/)
		assert.equal(await readFile(journal, 'utf8'), '["of the other"]\n')
	} finally {
		await other.stop()
	}
})

test('serve logs the reason why ADMIN_EMAIL was not made an admin, and nothing when it already is one', async () => {
	await person('boss@example.com', 'admin')
	const variables = { ADMIN_PASSWORD: 'secret words' }
	const other = await serve({ ...variables, ADMIN_EMAIL: 'second@example.com' })
	assert.match(other.output, /ADMIN_EMAIL was not made an admin: it only names the first one/)
	const same = await serve({ ...variables, ADMIN_EMAIL: 'boss@example.com' })
	assert.doesNotMatch(same.output, /ADMIN_EMAIL/)
})

test('serve with a wrong configuration exits with 1 and prints only the errors', async () => {
	const { code, output } = await serve({ SECRET_KEY: 'short', PORT: '70000' })
	assert.equal(code, 1)
	assert.match(output, /^The configuration cannot be used:\n {2}PORT: .+\n {2}SECRET_KEY: .+\n$/)
})

test('serve without an admin stops if ADMIN_EMAIL belongs to a user', async () => {
	await person('worker@example.com', 'user')
	const taken = await serve({ ADMIN_EMAIL: 'worker@example.com', ADMIN_PASSWORD: 'secret words' })
	assert.deepEqual([taken.isReady, taken.code], [false, 1])
	assert.match(taken.output, /ADMIN_EMAIL is the address of a user who is no active admin/)
})
