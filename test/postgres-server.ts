import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { isAlive, processesOf } from '#embedded/processes.ts'

const PREFIX = 'test-postgres-'
// Test data need not survive a power cut, so no write waits for the disk.
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' }

/** A PostgreSQL for tests in a temporary folder that goes with it. A benchmark takes a `durable` one, set as the product's own. */
export async function startTestPostgres({ durable = false } = {}) {
	await removeLeftovers()
	const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
	await chmod(dataDir, 0o755)
	const log = { info: () => {}, warn: console.warn, error: console.error }
	const server = await startEmbeddedPostgres({ dataDir, log, settings: durable ? {} : fast })
	return {
		url: server.url,
		async stop() {
			await server.stop()
			await rm(dataDir, { recursive: true, force: true })
		},
	}
}

// Cleans up the server and folder of a run that was killed.
async function removeLeftovers() {
	for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(PREFIX))) {
		const owner = Number.parseInt(name.slice(PREFIX.length), 10)
		if (!(owner > 0) || isAlive(owner)) continue
		const folder = join(tmpdir(), name)
		const data = join(folder, 'postgres', 'data')
		for (let left = 100; left > 0 && processesOf(data).length > 0; left--) {
			if (left === 100) for (const pid of processesOf(data)) endProcess(pid)
			await sleep(50)
		}
		await rm(folder, { recursive: true, force: true })
	}
}

/** Ends a process; one that has already ended is fine. */
function endProcess(pid: number) {
	try {
		process.kill(pid, 'SIGQUIT')
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
	}
}
