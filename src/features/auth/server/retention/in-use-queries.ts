import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/**
 * SQL condition: the account has an active user who is not deleted and not an admin. The product sends nothing for other
 * accounts.
 */
export const isInUse = (sql: Sql, account: Statement) => sql`
	exists (
		select 1 from users u
		where u.account_id = ${account} and u.role = 'user' and u.is_active and u.deleted_at is null
	)
`

/** Returns the condition that an administrator has stopped the account's counted links. */
export const hasStoppedLinks = (sql: Sql, account: Statement) => sql`
	exists (select 1 from users u where u.account_id = ${account} and u.links_stopped_at is not null)
`

export async function isAccountInUse(sql: Sql, accountId: AccountId): Promise<boolean> {
	const rows = await sql`select 1 where ${isInUse(sql, sql`${accountId}`)}`
	return rows.length > 0
}
