import type { Role } from '#features/auth/contract.ts'
import type { Sql } from '#lib/server/db.ts'
import { containing, offsetOf, type PageQuery } from '#lib/server/paging.ts'

export interface User {
	id: number
	name: string
	email: string
	role: Role
	isActive: boolean
	balancePaise: number
	createdAt: Date
}

const columns = (sql: Sql) => sql`
	u.id, u.name, u.email, u.role, u.is_active as "isActive", u.created_at as "createdAt",
	coalesce(w.available_paise, 0) as "balancePaise"
`

export async function findUser(sql: Sql, userId: number): Promise<User | undefined> {
	const [row] = await sql<User[]>`
		select ${columns(sql)}
		from users u
		left join wallets w on w.account_id = u.account_id
		where u.id = ${userId} and u.deleted_at is null
	`
	return row
}

const matching = (sql: Sql, search: string) =>
	search ? sql`and (u.name ilike ${containing(search)} or u.email ilike ${containing(search)})` : sql``

/** Users of all accounts, newest first. */
export async function listUsers(sql: Sql, wanted: PageQuery & { search: string }): Promise<User[]> {
	return sql<User[]>`
		select ${columns(sql)}
		from users u
		left join wallets w on w.account_id = u.account_id
		where u.deleted_at is null ${matching(sql, wanted.search)}
		order by u.id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countUsers(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users u where u.deleted_at is null ${matching(sql, search)}
	`
	return row?.total ?? 0
}
