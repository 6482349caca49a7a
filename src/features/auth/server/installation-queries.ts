import type { Sql } from '#lib/server/db.ts'
import type { InstallationKind } from './installation.ts'

/** What the database is for; null for an empty one. Also reads a database that has not been migrated yet. */
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

/** Databases from before the kind was stored are known by the accounts that only the demo makes. */
async function findOlderKind(sql: Sql): Promise<InstallationKind | null> {
	const [users] = await sql<{ total: number; demo: number }[]>`
		select count(*) as total,
			count(*) filter (where deleted_at is null and email in ('demo@example.com', 'admin@example.com')) as demo
		from users
	`
	if (!users || users.total === 0) return null
	return users.demo === 2 ? 'demo' : 'production'
}

/** Of several processes that start at once on an empty database, the first decides. */
export async function insertInstallationKind(sql: Sql, kind: InstallationKind): Promise<void> {
	await sql`insert into installation (kind) values (${kind}) on conflict do nothing`
}

/** Returns the constant that the key of the database has encrypted; null before its first start. */
export async function findKeyCheck(sql: Sql): Promise<Buffer | null> {
	const [row] = await sql<{ check: Buffer | null }[]>`select key_check as check from installation`
	return row?.check ?? null
}

/** Leaves a check that is there as it is. */
export async function insertKeyCheck(sql: Sql, check: Buffer): Promise<void> {
	await sql`update installation set key_check = ${check} where key_check is null`
}

export async function updateKeyCheck(sql: Sql, check: Buffer): Promise<void> {
	await sql`update installation set key_check = ${check}`
}
