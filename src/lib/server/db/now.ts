import type { Sql } from '../db.ts'

/** Returns the database's time; in a transaction, the time of its start. */
export async function getNow(sql: Sql): Promise<Date> {
	const [row] = await sql<{ at: Date }[]>`select now() as at`
	if (!row) throw new Error('the database has no time')
	return row.at
}
