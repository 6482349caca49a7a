import { transaction, type Db, type Sql } from '../db.ts'

/** Runs `work` in a transaction that is always rolled back, and returns its result. Rejects as `work` does. */
export async function rehearse<T>(
	db: Db,
	work: (sql: Sql) => Promise<T>,
	options: Parameters<typeof transaction>[2] = {},
): Promise<T> {
	const rollback = new Error('rolled back')
	const results: T[] = []
	const running = transaction(
		db,
		async (sql) => {
			results.push(await work(sql))
			throw rollback
		},
		options,
	)
	await running.catch((error: unknown) => {
		if (error !== rollback) throw error
	})
	const [result] = results
	return result as T
}
