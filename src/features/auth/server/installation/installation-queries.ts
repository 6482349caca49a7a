import type { Sql } from '#lib/server/db.ts'
import type { InstallationKind } from './installation.ts'

/** Returns the kind of the database; null for an empty one. Works before the migrations have run. */
export async function findInstallationKind(sql: Sql): Promise<InstallationKind | null> {
	const [tables] = await sql<{ hasKind: boolean; hasUsers: boolean }[]>`
		select to_regclass('installation') is not null as "hasKind", to_regclass('users') is not null as "hasUsers"
	`
	if (tables?.hasKind) {
		const [row] = await sql<{ kind: InstallationKind }[]>`select kind from installation`
		if (row) return row.kind
	}
	return tables?.hasUsers ? findOlderKind(sql) : null
}

/**
 * Returns the kind of a database from before kinds were stored; null without users. Only a demo has the demo's
 * accounts.
 */
async function findOlderKind(sql: Sql): Promise<InstallationKind | null> {
	const [users] = await sql<{ total: number; demo: number }[]>`
		select count(*) as total,
			count(*) filter (where deleted_at is null and email in ('demo@example.com', 'admin@example.com')) as demo
		from users
	`
	if (!users || users.total === 0) return null
	return users.demo === 2 ? 'demo' : 'production'
}

/** Stores the kind. When several processes start on an empty database, the first one's kind remains. */
export async function insertInstallationKind(sql: Sql, kind: InstallationKind): Promise<void> {
	await sql`insert into installation (kind) values (${kind}) on conflict do nothing`
}

/** Returns the encrypted constant by which the database recognises its key; null before the first start. */
export async function findKeyCheck(sql: Sql): Promise<Buffer | null> {
	const [row] = await sql<{ check: Buffer | null }[]>`select key_check as check from installation`
	return row?.check ?? null
}

/** Stores the check unless the database has one. */
export async function insertKeyCheck(sql: Sql, check: Buffer): Promise<void> {
	await sql`update installation set key_check = ${check} where key_check is null`
}

export async function updateKeyCheck(sql: Sql, check: Buffer): Promise<void> {
	await sql`update installation set key_check = ${check}`
}
