import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier, verbatim } from '#lib/server/statement.ts'

/** A table whose rows of an account go with it. */
export interface ErasedTable {
	table: string
	/** The column of the account where it is another than `account_id`. */
	account?: string
	/** What tells the rows of one account apart: columns with commas between. */
	key: string
}

/** Deletes some of an account's rows. Returns how many; none are left once it is 0. */
export async function deleteRows(
	sql: Sql,
	accountId: AccountId,
	{ table, account = 'account_id', key, limit }: ErasedTable & { limit: number },
): Promise<number> {
	const rows = sql`from ${identifier(table)} where ${identifier(account)} = ${accountId}`
	const { count } = await sql`
		delete ${rows} and (${verbatim(key)}) in (select ${verbatim(key)} ${rows} limit ${limit})
	`
	return count
}

/** Some columns of an account's rows, read in the order of their key. */
export interface AccountList {
	table: string
	/** One column. */
	key: string
	/** By the name that each has outside of the database, in SQL. */
	columns: Readonly<Record<string, string>>
	/** Which rows, where not all, in SQL. */
	where?: string
}

/** The next rows after a key, which each has as `key`. */
export async function listRows(
	sql: Sql,
	accountId: AccountId,
	{ table, key, columns, where, after, limit }: AccountList & { after: unknown; limit: number },
): Promise<Record<string, unknown>[]> {
	const selected = Object.entries({ ...columns, key }).map(([name, column]) => `${column} as "${name}"`)
	return sql`
		select ${verbatim(selected.join(', '))}
		from ${identifier(table)}
		where account_id = ${accountId} ${where ? sql`and ${verbatim(where)}` : sql``}
			${after === undefined ? sql`` : sql`and ${identifier(key)} > ${after}`}
		order by ${identifier(key)}
		limit ${limit}
	`
}
