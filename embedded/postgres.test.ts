import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { connect, type Db } from '#lib/server/db.ts'
import { startChild } from '#test/child-process.ts'
import { copyCluster, replaceCluster } from './backup.ts'
import { startEmbeddedPostgres } from './postgres.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const settings = { shared_buffers: '16MB' }

const running: Awaited<ReturnType<typeof startEmbeddedPostgres>>[] = []
const writers: ChildProcess[] = []

async function start(dataDir: string) {
	const server = await startEmbeddedPostgres({ dataDir, log, settings })
	running.push(server)
	return server
}

/** Returns a data folder, which is removed after the test when the PostgreSQL running in it has been taken over and stopped. */
function temporaryDataDir(t: TestContext, mode = 0o755) {
	const folder = mkdtempSync(join(tmpdir(), 'embedded-'))
	const dataDir = join(folder, 'data')
	chmodSync(folder, mode)
	t.after(async () => {
		for (const child of writers.splice(0)) await kill(child)
		for (const server of running.splice(0)) await server.stop()
		rmSync(folder, { recursive: true, force: true })
	})
	return dataDir
}

async function query<T>(url: string, work: (sql: Db) => PromiseLike<T>): Promise<T> {
	const sql = connect(url, { max: 1 })
	try {
		return await work(sql)
	} finally {
		await sql.end()
	}
}

const rowsIn = (url: string) => query(url, async (sql) => Number((await sql`select count(*) from kept`)[0]?.count))

function postmasterPid(dataDir: string) {
	return Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

test('the embedded PostgreSQL has the same rows, port and password after a restart', async (t) => {
	const dataDir = temporaryDataDir(t)
	const first = await start(dataDir)
	await query(first.url, (sql) => sql`create table kept as select generate_series(1, 10) as id`)
	await first.stop()
	assert.ok(!existsSync(join(dataDir, 'postgres', 'data', 'postmaster.pid')))
	const second = await start(dataDir)
	assert.equal(second.url, first.url)
	assert.equal(await rowsIn(second.url), 10)
})

test('a cluster replaced by a copy of itself has every row that was committed before the copy ended, and starts', async (t) => {
	const dataDir = temporaryDataDir(t)
	const backup = join(dataDir, '..', 'backup')
	const server = await start(dataDir)
	await query(server.url, (sql) => sql`create table kept as select generate_series(1, 1000) as id`)
	await copyCluster({ url: server.url, from: join(dataDir, 'postgres'), to: backup })
	assert.throws(() => readFileSync(join(backup, 'data', 'postmaster.pid')), /ENOENT/)
	await query(server.url, (sql) => sql`delete from kept`)
	await server.stop()
	const aside = replaceCluster({ from: backup, to: join(dataDir, 'postgres') })
	assert.ok(aside !== null && existsSync(join(aside, 'data')))
	const restored = await start(dataDir)
	assert.equal(await rowsIn(restored.url), 1000)
	await query(restored.url, (sql) => sql`insert into kept values (0)`)
	assert.throws(() => replaceCluster({ from: dataDir, to: join(dataDir, 'other') }), /holds no backup/)
})

test('the embedded PostgreSQL stores UTF-8, sorts by code point, maps letter case beyond ASCII, and commits durably', async (t) => {
	const dataDir = temporaryDataDir(t)
	const server = await start(dataDir)
	const [row] = await query(
		server.url,
		(sql) => sql`
			select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
			current_setting('synchronous_commit') as commit, upper('é') as upper, 'B' < 'a' as by_code_point
		`,
	)
	assert.deepEqual({ ...row }, { encoding: 'UTF8', fsync: 'on', commit: 'on', upper: 'É', by_code_point: true })
})

test('a PostgreSQL that has exited and cannot start, as on a full disk, is started again until it runs', async (t) => {
	const dataDir = temporaryDataDir(t)
	const errors: string[] = []
	const server = await startEmbeddedPostgres({
		dataDir,
		log: { ...log, error: (line: string) => void errors.push(line) },
		settings,
	})
	running.push(server)
	await query(server.url, (sql) => sql`create table kept as select 1 as id`)
	const control = join(dataDir, 'postgres', 'data', 'global', 'pg_control')
	// PostgreSQL ends immediately without this file, as it does when it cannot write its files.
	renameSync(control, `${control}.away`)
	process.kill(postmasterPid(dataDir), 'SIGKILL')
	await until(async () => errors.some((line) => line.startsWith('PostgreSQL is lost')), 'the loss is logged')
	renameSync(`${control}.away`, control)
	await until(async () => (await rowsIn(server.url).catch(() => 0)) === 1, 'the rows are back')
	assert.equal(errors.length, 2, errors.join('\n'))
})

/**
 * Starts a process that starts the database, inserts rows as fast as it can, and prints the number of each acknowledged row.
 */
function startWriter(dataDir: string) {
	const code = `
		const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('postgres.ts', import.meta.url).href)})
		const { connect } = await import(${JSON.stringify(new URL('../src/lib/server/db.ts', import.meta.url).href)})
		const log = { info() {}, warn() {}, error() {} }
		const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log, settings: { shared_buffers: '16MB' } })
		const sql = connect(url, { max: 1 })
		await sql\`create table if not exists kept (id int)\`
		for (let id = 1; ; id++) {
			await sql\`insert into kept values (\${id})\`
			process.stdout.write(id + '\\n')
		}`
	const child = startChild(['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] })
	writers.push(child)
	const said = { count: 0 }
	child.stdout?.on('data', (text: Buffer) => (said.count += text.toString().split('\n').length - 1))
	return { child, said }
}

async function until(condition: () => boolean | Promise<boolean>, what: string) {
	const deadline = Date.now() + 30_000
	while (!(await condition())) {
		if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}`)
		await new Promise((resolve) => setTimeout(resolve, 10))
	}
}

async function kill(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return
	const ended = once(child, 'close')
	child.kill('SIGKILL')
	await ended
}

test('the next start takes over the embedded PostgreSQL that a killed process left running, with every acknowledged row', async (t) => {
	const dataDir = temporaryDataDir(t)
	const { child, said } = startWriter(dataDir)
	await until(() => said.count > 50, 'rows of the writer')
	const pid = postmasterPid(dataDir)
	await kill(child)
	const server = await start(dataDir)
	assert.equal(postmasterPid(dataDir), pid)
	const rows = await rowsIn(server.url)
	assert.ok(rows >= said.count && rows <= said.count + 1, `${said.count} acknowledged, ${rows} found`)
})

test('the embedded PostgreSQL recovers every acknowledged row after it was killed together with the product', async (t) => {
	const dataDir = temporaryDataDir(t)
	const { child, said } = startWriter(dataDir)
	await until(() => said.count > 50, 'rows of the writer')
	process.kill(postmasterPid(dataDir), 'SIGKILL')
	await kill(child)
	const server = await start(dataDir)
	assert.ok((await rowsIn(server.url)) >= said.count)
})

test('an embedded PostgreSQL that dies while the product runs is restarted at the same address', async (t) => {
	const dataDir = temporaryDataDir(t)
	const server = await start(dataDir)
	await query(server.url, (sql) => sql`create table kept as select 1 as id`)
	const first = postmasterPid(dataDir)
	process.kill(first, 'SIGKILL')
	const deadline = Date.now() + 30_000
	let rows: number | undefined
	while (rows === undefined && Date.now() < deadline) rows = await rowsIn(server.url).catch(() => undefined)
	assert.equal(rows, 1)
	assert.notEqual(postmasterPid(dataDir), first)
})

test('a second start on the same folder is refused with the folder’s name, and the first one continues', async (t) => {
	const dataDir = temporaryDataDir(t)
	const { child, said } = startWriter(dataDir)
	await until(() => said.count > 0, 'rows of the writer')
	await assert.rejects(start(dataDir), {
		message: `Another server (pid ${child.pid}) is using ${dataDir}. Stop it first, or choose another DATA_DIR.`,
	})
	const before = said.count
	await until(() => said.count > before, 'more rows of the writer')
	await kill(child)
	await start(dataDir)
})

test('the embedded PostgreSQL starts when its stale pid file names another program’s process', async (t) => {
	const dataDir = temporaryDataDir(t)
	const first = await start(dataDir)
	const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid')
	const stale = readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid))
	await first.stop()
	writeFileSync(pidFile, stale)
	await start(dataDir)
})

test(
	'the embedded PostgreSQL of root starts in a folder that only root may enter',
	{ skip: process.getuid?.() !== 0 },
	async (t) => {
		const dataDir = temporaryDataDir(t, 0o700)
		const server = await start(dataDir)
		assert.equal(await query(server.url, async (sql) => (await sql`select 1`).length), 1)
	},
)
