import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '#lib/server/db.ts'
import { findInstallationKind, insertInstallationKind } from './installation-queries.ts'

/**
 * Kind of a database and a DATA_DIR. The demo's passwords are public and its messages go to a simulator, so a demo never
 * becomes a production installation, and a production installation never becomes a demo.
 */
export type InstallationKind = 'demo' | 'production'

/** Throws when DATA_DIR is marked as the other kind. An unmarked folder is accepted. */
export async function checkFolder(dataDir: string, wanted: InstallationKind): Promise<void> {
	const kind = await readInstallationKind(dataDir)
	if (kind !== '' && kind !== wanted) throw refusal(`The folder ${dataDir}`, wanted)
}

/** Returns the kind with which DATA_DIR is marked; an empty text for an unmarked folder. */
export async function readInstallationKind(dataDir: string): Promise<string> {
	const marked = (await readFile(markerOf(dataDir), 'utf8').catch(() => '')).trim()
	// Demos from before folders were marked wrote this file.
	const isOlderDemo = marked === '' && existsSync(join(dataDir, 'demo-data'))
	return isOlderDemo ? 'demo' : marked
}

/** Throws when the database is of the other kind. Only reads, so that a refused database is not migrated. */
export async function checkDatabase(url: string, wanted: InstallationKind): Promise<void> {
	const db = connect(url, { max: 1, name: 'installation' })
	try {
		await refuseOther(db, wanted)
	} finally {
		await db.end()
	}
}

/**
 * Marks a migrated database as this kind unless it is marked, and marks DATA_DIR. Throws when the database is of the
 * other kind.
 */
export async function claimInstallation(sql: Sql, dataDir: string, wanted: InstallationKind): Promise<void> {
	await insertInstallationKind(sql, wanted)
	await refuseOther(sql, wanted)
	await mkdir(dataDir, { recursive: true })
	await writeFile(markerOf(dataDir), `${wanted}\n`)
}

async function refuseOther(sql: Sql, wanted: InstallationKind): Promise<void> {
	const kind = await findInstallationKind(sql)
	if (kind !== null && kind !== wanted) throw refusal('The database', wanted)
}

function markerOf(dataDir: string): string {
	return join(dataDir, 'installation')
}

function refusal(what: string, wanted: InstallationKind): Error {
	return new Error(
		wanted === 'production'
			? `${what} holds the demo of npm start, whose passwords are public, so npm run serve does not use it. ` +
					'Set DATABASE_URL to another database, and DATA_DIR to an empty folder.'
			: `${what} belongs to a production installation, so npm start does not put its demo accounts there. ` +
					'Leave DATABASE_URL unset, and set DATA_DIR to an empty folder.',
	)
}
