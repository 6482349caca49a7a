import { readdir, readFile } from 'node:fs/promises'
import { connect } from './db.ts'

const folder = new URL('../../../db/migrations/', import.meta.url)
/** Any number; the same in every process, so that only one migrates at a time. */
const MIGRATION_LOCK = 20_261_121

/** Brings a database up to date: each file of db/migrations once, in order, each in a transaction of its own. */
export async function migrate(url: string): Promise<void> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted()
	const db = connect(url, { max: 1, name: 'migrate', lasting: true })
	try {
		await db`select pg_advisory_lock(${MIGRATION_LOCK})`
		await db`create table if not exists schema_migrations (file text primary key, applied_at timestamptz not null default now())`
		const applied = new Set((await db`select file from schema_migrations`).map((row) => String(row.file)))
		for (const file of files.filter((name) => !applied.has(name))) {
			const statements = await readFile(new URL(file, folder), 'utf8')
			await db.begin(async (sql) => {
				await sql.unsafe(statements)
				await sql`insert into schema_migrations (file) values (${file})`
			})
		}
	} finally {
		await db.end()
	}
}

/** Whether every migration file has been applied, for the readiness check. */
export async function isMigrated(db: ReturnType<typeof connect>): Promise<boolean> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
	const [row] = await db<{ applied: number }[]>`select count(*)::int as applied from schema_migrations`
	return row !== undefined && row.applied >= files.length
}
