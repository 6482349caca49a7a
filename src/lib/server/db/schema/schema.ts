import { readdirSync } from 'node:fs'
import type { Sql } from '#lib/server/db.ts'

/** Folder with migrations/ and citus.sql. */
export const SCHEMA_FOLDER = new URL('../../../../../db/', import.meta.url)

/**
 * Read at the start of the process, so that migrations of a newer release copied over this one do not count as known.
 */
const KNOWN = listMigrations(SCHEMA_FOLDER)
/** Last migration of this release; names its schema. */
export const SCHEMA_VERSION = KNOWN.at(-1) ?? ''

/** Returns the migrations of a schema folder in the order of application. */
export function listMigrations(folder: URL): string[] {
	return readdirSync(new URL('migrations/', folder))
		.filter((file) => file.endsWith('.sql'))
		.toSorted()
}

/** Difference between a database's schema and this release's. */
export interface SchemaDifference {
	isNewer: boolean
	/** Explanation for the operator. */
	problem: string
}

/** Compares the database's schema with this release's; null when equal. */
export async function findSchemaDifference(sql: Sql): Promise<SchemaDifference | null> {
	const applied = new Set((await sql<{ file: string }[]>`select file from schema_migrations`).map(({ file }) => file))
	const newer = [...applied].filter((file) => !KNOWN.includes(file)).toSorted()
	if (newer.length > 0) {
		const problem = `A newer release has migrated the database (${newer.at(-1)}): run that release instead`
		return { isNewer: true, problem }
	}
	const missing = KNOWN.find((file) => !applied.has(file))
	if (missing === undefined) return null
	return { isNewer: false, problem: `The database lacks the migration ${missing}: start this release on it once` }
}
