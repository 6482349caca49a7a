import type { AccountId, Sql } from '#lib/server/db.ts'
import { identifier, separated, verbatim, type Statement } from '#lib/server/statement.ts'

/** A table whose rows are deleted with their account. */
export interface ErasedTable {
	table: string
	/** Column of the account id, if not `account_id`. */
	account?: string
	/** Columns, separated by commas, that identify a row within its account. */
	key: string
}

/** Deletes up to `limit` rows of an account. Returns their number; 0 when none are left. */
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

/**
 * SQL of a column: a text, or a function where the SQL has values. A subquery that names the account's id, instead of the row's
 * column, runs only on the account's machine.
 */
type ColumnSql = string | ((sql: Sql, accountId: AccountId) => Statement)

/** Returns SQL for the fixed prices of an account, as JSON. */
export const listFixedPrices = (sql: Sql, accountId: AccountId) => sql`(
	select coalesce(jsonb_agg(jsonb_build_object(
		'market', m.market, 'category', m.category, 'pricePaise', m.price_paise
	) order by m.market, m.category), '[]') from market_prices m where m.account_id = ${accountId}
)`

/** Columns of an account's rows, read in the order of the key. */
export interface AccountList {
	table: string
	/** Column of the account id, if not `account_id`. */
	account?: string
	/** The key, a single column. */
	key: string
	/** SQL of each column by its name in the export. */
	columns: Readonly<Record<string, ColumnSql>>
	/** SQL condition that limits the rows; all rows without it. */
	where?: string
}

/** Returns up to `limit` rows after a key. Each row includes its own `key`. */
export async function listRows(
	sql: Sql,
	accountId: AccountId,
	{ table, account = 'account_id', key, columns, where, after, limit }: AccountList & { after: unknown; limit: number },
): Promise<Record<string, unknown>[]> {
	const selected = Object.entries<ColumnSql>({ ...columns, key }).map(
		([name, column]) =>
			sql`${typeof column === 'string' ? verbatim(column) : column(sql, accountId)} as ${identifier(name)}`,
	)
	return sql`
		select ${separated(selected)}
		from ${identifier(table)}
		where ${identifier(account)} = ${accountId} ${where ? sql`and ${verbatim(where)}` : sql``}
			${after === undefined ? sql`` : sql`and ${identifier(key)} > ${after}`}
		order by ${identifier(key)}
		limit ${limit}
	`
}
