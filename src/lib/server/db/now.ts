import type { Sql } from '../db.ts'

/** The database's time: in a transaction, that of its beginning. */
export async function getNow(sql: Sql): Promise<Date> {
	const [row] = await sql<{ at: Date }[]>`select now() as at`
	if (!row) throw new Error('the database has no time')
	return row.at
}
