import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/**
 * A condition of a statement: the account's user may use the product now. Nothing is sent for an account whose user was
 * deleted, deactivated or made an admin, whatever else still stands in its rows.
 */
export const isInUse = (sql: Sql, account: Statement) => sql`
	exists (
		select 1 from users u
		where u.account_id = ${account} and u.role = 'user' and u.is_active and u.deleted_at is null
	)
`

export async function isAccountInUse(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`select 1 where ${isInUse(sql, sql`${accountId}`)}`
	return rows.length > 0
}
