import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { isAlive, processesOf } from '#embedded/processes.ts'
import { identifier } from '#lib/server/statement.ts'
import { signalProcess } from './child-process.ts'
import { asAdmin } from './cluster.ts'

const PREFIX = 'test-postgres-'
// Test data need not survive a power cut, so no write waits for the disk.
const fast = {
	fsync: 'off',
	synchronous_commit: 'off',
	full_page_writes: 'off',
	shared_buffers: '128MB',
	max_wal_size: '256MB',
}

/** A file system in memory that Linux has. */
const MEMORY = '/dev/shm'
/** Several times what the databases of all test files that run at a time need. */
const MEMORY_BYTES = 4 * 1024 ** 3

// Of this checkout: the tests of another may need another schema.
const KEPT = join(
	tmpdir(),
	`${PREFIX}kept-${createHash('sha256')
		.update(import.meta.url)
		.digest('hex')
		.slice(0, 12)}`,
)

interface Options {
	/** Set as the product's own, for benchmarks. */
	durable?: boolean
	/** Keeps its files for the next one of this checkout, which starts with the migrated template that is in them. */
	isKept?: boolean
}

/** A PostgreSQL for tests in a temporary folder that goes with it, unless it is kept. */
export async function startTestPostgres({ durable = false, isKept = false }: Options = {}) {
	await removeLeftovers()
	const folder = durable || isKept || !(await hasMemory()) ? tmpdir() : MEMORY
	const dataDir = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`))
	// Whoever moves the kept files has them alone; who finds none starts from nothing.
	const isReused = isKept && (await move(KEPT, dataDir))
	await chmod(dataDir, 0o755)
	const server = await start(dataDir, durable).catch(async (error: unknown) => {
		if (!isReused) throw error
		await rm(join(dataDir, 'postgres'), { recursive: true, force: true })
		return start(dataDir, durable)
	})
	if (isReused) await dropUnused(server.url)
	return {
		url: server.url,
		async stop() {
			await server.stop()
			if (!isKept || !(await move(dataDir, KEPT))) await rm(dataDir, { recursive: true, force: true })
		},
	}
}

/**
 * Whether the files of a server fit into memory. Each test database is a thousand files that live for seconds, and ext4 looks at
 * every inode that was freed lately before it gives out one: that took two fifths of the processor time of the server.
 */
async function hasMemory(): Promise<boolean> {
	const free = await statfs(MEMORY).then(
		({ bavail, bsize }) => bavail * bsize,
		() => 0,
	)
	return Math.min(free, process.availableMemory()) > MEMORY_BYTES
}

function start(dataDir: string, durable: boolean) {
	const log = { info: () => {}, warn: console.warn, error: console.error }
	return startEmbeddedPostgres({ dataDir, log, settings: durable ? {} : fast })
}

/** Renames a folder to one that does not exist or is empty. */
function move(from: string, to: string): Promise<boolean> {
	return rename(from, to).then(
		() => true,
		() => false,
	)
}

/** Drops what killed tests have left, and the templates of earlier schemas. */
async function dropUnused(url: string) {
	await asAdmin(url, async (admin) => {
		const unused = await admin<{ name: string }[]>`
			select datname as name from pg_database
			where datname ^@ 'test_' or (datname ^@ 'template_'
				and oid < (select max(oid) from pg_database where datname ^@ 'template_'))
		`
		for (const { name } of unused) await admin`drop database ${identifier(name)} with (force)`
	})
}

/** The folders of servers in this one; none where there is no such folder. */
async function findServers(parent: string): Promise<string[]> {
	const names = await readdir(parent).catch(() => [])
	return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(parent, name))
}

// Cleans up the server and folder of a run that was killed.
async function removeLeftovers() {
	const folders = await Promise.all([tmpdir(), MEMORY].map(findServers))
	for (const folder of folders.flat()) {
		const accountId = Number.parseInt(basename(folder).slice(PREFIX.length), 10)
		if (!(accountId > 0) || isAlive(accountId)) continue
		const data = join(folder, 'postgres', 'data')
		for (let left = 100; left > 0 && processesOf(data).length > 0; left--) {
			if (left === 100) for (const pid of processesOf(data)) signalProcess(pid, 'SIGQUIT')
			await sleep(50)
		}
		await rm(folder, { recursive: true, force: true })
	}
}
