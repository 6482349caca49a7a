import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#lib/server/embedded-postgres.ts'

// Tests do not outlive a power cut, so nothing waits for the disk.
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' }

/** A PostgreSQL for tests in a temporary folder that goes with it. */
export async function startTestPostgres() {
	const dataDir = await mkdtemp(join(tmpdir(), 'test-postgres-'))
	await chmod(dataDir, 0o755)
	const log = { info: () => {}, warn: console.warn, error: console.error }
	const server = await startEmbeddedPostgres({ dataDir, log, settings: fast })
	return {
		url: server.url,
		async stop() {
			await server.stop()
			await rm(dataDir, { recursive: true, force: true })
		},
	}
}
