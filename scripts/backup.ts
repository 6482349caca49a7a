import { cpSync, existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyCluster } from '#embedded/backup.ts'
import { filesFolder, openDatabase } from './open-database.ts'

/**
 * `npm run backup -- FOLDER`: copies the embedded database and the folder of files into a new folder. The product may run
 * meanwhile. Store SECRET_KEY separately.
 */
const target = process.argv[2] && resolve(process.argv[2])
const dataDir = resolve(process.env.DATA_DIR || '.data')

if (process.env.DATABASE_URL)
	fail('DATABASE_URL is set: back that database up with its own tools, as docs/operations/restore.md says.')
if (!target) fail('Say where to: npm run backup -- /var/backups/whatsapp/2026-11-23')
if (existsSync(target)) fail(`${target} is there already: name a folder that is not.`)

const { url, stop } = await openDatabase()
try {
	await copyCluster({ url, from: join(dataDir, 'postgres'), to: join(target, 'postgres') })
	// The files are copied after the database, so that no row names a missing file.
	const files = filesFolder(dataDir)
	if (files !== null && existsSync(files))
		cpSync(files, join(target, 'files'), { recursive: true, preserveTimestamps: true })
	const content = files === null ? 'The database is' : 'Database and files are'
	console.log(`${content} in ${target}. Without SECRET_KEY its WhatsApp credentials cannot be read.`)
	if (files === null) console.log('The files are not: back up the bucket of STORAGE_URL by itself.')
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 1
} finally {
	await stop()
}

function fail(message: string): never {
	console.error(message)
	process.exit(2)
}
