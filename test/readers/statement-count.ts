import type { Sql } from '#lib/server/db.ts'
import { Statement } from '#lib/server/statement.ts'

/** Returns `sql` that runs each statement, and counts them. A statement that is a part of another is not counted. */
export function countStatements(sql: Sql): { sql: Sql; count: () => number } {
	let count = 0
	const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
		new Statement(strings, values, async () => {
			count++
			return sql(strings, ...values)
		})
	return {
		sql: Object.assign(tag as unknown as Sql, { unsafe: sql.unsafe, notify: sql.notify, vault: sql.vault }),
		count: () => count,
	}
}
