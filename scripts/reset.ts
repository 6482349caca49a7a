// `npm run reset`: deletes the demo under DATA_DIR, so that npm start creates a new one. Leaves all other files there.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openCluster, urlOf } from '#embedded/cluster.ts'
import { takeAccountLock } from '#embedded/owner-lock.ts'
import { findPostmaster, stopPostmaster } from '#embedded/postmaster.ts'
import { findPrograms } from '#embedded/run-as.ts'
import { readInstallationKind } from '#features/auth/server/installation/installation.ts'

/** Files and folders of the demo. The marker `installation` is deleted last, so that an interrupted reset can be repeated. */
const OF_THE_DEMO = ['postgres', 'simulator', 'files', 'outbox', 'demo-data', 'secret-key', 'installation']

const dataDir = resolve(process.env.DATA_DIR || '.data')
const clusterDir = join(dataDir, 'postgres')

async function stopDatabase(): Promise<void> {
	if (!existsSync(clusterDir)) return
	const programs = findPrograms(dataDir, clusterDir)
	const cluster = await openCluster(clusterDir, programs)
	const running = await findPostmaster(cluster)
	if (!running) return
	// The lock is free if a killed process left the server running. If the product runs, taking the lock throws.
	const lock = await takeAccountLock(urlOf(cluster, running.port), dataDir, () => {})
	await lock.release()
	await stopPostmaster(cluster, programs, running.pid)
}

try {
	const kind = await readInstallationKind(dataDir)
	if (kind !== 'demo') throw new Error(`There is no demo in ${dataDir}${kind ? `, but a ${kind} installation` : ''}.`)
	await stopDatabase()
	for (const name of OF_THE_DEMO) await rm(join(dataDir, name), { recursive: true, force: true })
	console.log(`The demo in ${dataDir} is gone. npm start makes a new one.`)
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 1
}
