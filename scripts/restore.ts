import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { replaceCluster } from '#embedded/backup.ts'
import { openCluster } from '#embedded/cluster.ts'
import { findPostmaster } from '#embedded/postmaster.ts'
import { findPrograms } from '#embedded/run-as.ts'
import { filesFolder } from './open-database.ts'

/**
 * `npm run restore -- FOLDER`: replaces the embedded database and the files by a copy of `npm run backup`. Moves the existing
 * database aside and leaves existing files. The product must be stopped.
 */
const backup = process.argv[2] && resolve(process.argv[2])
const dataDir = resolve(process.env.DATA_DIR || '.data')
const cluster = join(dataDir, 'postgres')

try {
	if (process.env.DATABASE_URL)
		throw new Error(
			'DATABASE_URL is set: restore that database with its own tools, as docs/operations/restore.md says.',
		)
	if (!backup) throw new Error('Say from where: npm run restore -- /var/backups/whatsapp/2026-11-23')
	if (existsSync(cluster) && (await findPostmaster(await openCluster(cluster, findPrograms(dataDir, cluster)))))
		throw new Error(`PostgreSQL runs on ${cluster}: stop the product first.`)
	mkdirSync(dataDir, { recursive: true })
	const aside = replaceCluster({ from: join(backup, 'postgres'), to: cluster })
	const files = join(backup, 'files')
	const target = filesFolder(dataDir)
	if (target !== null && existsSync(files)) cpSync(files, target, { recursive: true, preserveTimestamps: true })
	if (aside !== null) console.log(`The database that was there is now ${aside}.`)
	console.log(`Restored into ${dataDir}. Before the product starts, run: npm run restored`)
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 1
}
