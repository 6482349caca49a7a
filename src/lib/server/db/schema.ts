import { readdirSync } from 'node:fs'
import type { Sql } from '../db.ts'

/** Holds migrations/ and citus.sql. */
export const SCHEMA_FOLDER = new URL('../../../../db/', import.meta.url)

/** Read when the process starts: a newer release that is copied over this one must not count as known to it. */
const KNOWN = listMigrations(SCHEMA_FOLDER)
/** The last migration of this release, by which its schema is named. */
export const SCHEMA_VERSION = KNOWN.at(-1) ?? ''

/** The migrations of a schema folder, in the order in which they are applied. */
export function listMigrations(folder: URL): string[] {
	return readdirSync(new URL('migrations/', folder))
		.filter((file) => file.endsWith('.sql'))
		.toSorted()
}

/** How the schema of a database differs from the one that this release is written for. */
export interface SchemaDifference {
	isNewer: boolean
	/** For whoever runs the product. */
	problem: string
}

/** Null where the database has the schema of this release. */
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
