import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openCluster, urlOf } from '#embedded/cluster.ts'
import { startEmbeddedPostgres } from '#embedded/postgres.ts'
import { findPostmaster } from '#embedded/postmaster.ts'
import { findPrograms } from '#embedded/run-as.ts'

const nothing = async () => {}

/**
 * Opens the database for a command: the one at DATABASE_URL, or the embedded one under DATA_DIR, which is started unless it is
 * running.
 */
export async function openDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
	if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: nothing }
	const dataDir = resolve(process.env.DATA_DIR || '.data')
	const clusterDir = join(dataDir, 'postgres')
	if (!existsSync(clusterDir)) {
		console.error(`There is no database under ${dataDir}. Set DATA_DIR or DATABASE_URL.`)
		process.exit(2)
	}
	const cluster = await openCluster(clusterDir, findPrograms(dataDir, clusterDir))
	const running = await findPostmaster(cluster)
	if (running) return { url: urlOf(cluster, running.port), stop: nothing }
	return startEmbeddedPostgres({ dataDir, log: { info: () => {}, warn: console.error, error: console.error } })
}

/** Returns the folder of the product's files; null when they are in a bucket. */
export function filesFolder(dataDir: string): string | null {
	const place = process.env.STORAGE_URL || join(dataDir, 'files')
	return place.includes('://') ? null : resolve(place)
}
