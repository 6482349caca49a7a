import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readdir, rename, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { isAlive, processesOf } from '#embedded/processes.ts'
import { identifier } from '#lib/server/statement.ts'
import { signalProcess } from '../child-process.ts'
import { asAdmin } from './cluster.ts'

const PREFIX = 'test-postgres-'
// Test data need not survive a power cut, so writes do not wait for the disk.
const fast = {
	fsync: 'off',
	synchronous_commit: 'off',
	full_page_writes: 'off',
	shared_buffers: '128MB',
	max_wal_size: '256MB',
	// Several processes run the apps of several test files each. Their pools stay open until the last file has ended.
	max_connections: '500',
}

/** Linux's file system in memory. */
const MEMORY = '/dev/shm'
/** Minimum free memory: several times the space of the databases of all test files that run in parallel. */
const MEMORY_BYTES = 4 * 1024 ** 3

// Folder of the retained server; specific to this checkout, because another one may have another schema.
const KEPT = join(
	tmpdir(),
	`${PREFIX}kept-${createHash('sha256')
		.update(import.meta.url)
		.digest('hex')
		.slice(0, 12)}`,
)

interface Options {
	/** Uses the product's own settings, for benchmarks. */
	durable?: boolean
	/** Retains the server's files for the next run in this checkout, which then starts with the migrated template in them. */
	isKept?: boolean
}

/** Starts a PostgreSQL server for tests in a temporary folder. `stop` removes the folder unless the files are retained. */
export async function startTestPostgres({ durable = false, isKept = false }: Options = {}) {
	await removeLeftovers()
	const folder = durable || isKept || !(await hasMemory()) ? tmpdir() : MEMORY
	const dataDir = await mkdtemp(join(folder, `${PREFIX}${process.pid}-`))
	// Only the process whose rename succeeds uses the retained files. Other processes start with an empty folder.
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
 * Returns true if the files of a server fit into memory. Each test database has a thousand files that live for seconds, and
 * ext4 examines every recently freed inode before it allocates one, which took two fifths of the server's processor time.
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

/** Renames a folder. The target must be missing or empty. */
function move(from: string, to: string): Promise<boolean> {
	return rename(from, to).then(
		() => true,
		() => false,
	)
}

/** Drops databases left by killed tests, and templates of earlier schemas. */
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

/** Returns the folders of test servers in this folder; none if the folder does not exist. */
async function findServers(parent: string): Promise<string[]> {
	const names = await readdir(parent).catch(() => [])
	return names.filter((name) => name.startsWith(PREFIX)).map((name) => join(parent, name))
}

// Stops the servers of killed runs and removes their folders.
async function removeLeftovers() {
	const folders = await Promise.all([tmpdir(), MEMORY].map(findServers))
	for (const folder of folders.flat()) {
		const pid = Number.parseInt(basename(folder).slice(PREFIX.length), 10)
		if (!(pid > 0) || isAlive(pid)) continue
		const data = join(folder, 'postgres', 'data')
		for (let left = 100; left > 0 && processesOf(data).length > 0; left--) {
			if (left === 100) for (const each of processesOf(data)) signalProcess(each, 'SIGQUIT')
			await sleep(50)
		}
		await rm(folder, { recursive: true, force: true })
	}
}
