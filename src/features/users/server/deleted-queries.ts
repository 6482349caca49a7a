import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

/** A user who was deleted and whose data is still there. */
export interface DeletedUser {
	id: number
	accountId: AccountId
	name: string
	email: string
	deletedAt: Date
	/** When their data is erased. */
	erasedFrom: Date
}

/** Whoever was deleted before accounts were erased is counted from the migration that began it. */
const deletedUsers = (sql: Sql, days: number) => sql`(
	select u.id, u.account_id as "accountId", u.name, u.email, u.deleted_at as "deletedAt",
		greatest(u.deleted_at, (select applied_at from schema_migrations where file like '%_erased_accounts.sql'))
			+ make_interval(days => ${days}) as "erasedFrom"
	from users u
	where u.deleted_at is not null and u.erased_at is null
)`

/** Those to be erased next first. */
export async function listDeleted(sql: Sql, { days, ...page }: PageQuery & { days: number }): Promise<DeletedUser[]> {
	return sql<DeletedUser[]>`
		select * from ${deletedUsers(sql, days)} d
		order by d."deletedAt", d.id
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

export async function countDeleted(sql: Sql): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users where deleted_at is not null and erased_at is null
	`
	return row?.total ?? 0
}

/** Those whose time has come, the first so many. */
export async function listDueForErasure(
	sql: Sql,
	{ days, limit }: { days: number; limit: number },
): Promise<DeletedUser[]> {
	return sql<DeletedUser[]>`
		select * from ${deletedUsers(sql, days)} d where d."erasedFrom" <= now() order by d."deletedAt", d.id limit ${limit}
	`
}

export async function updateErased(sql: Sql, userId: number): Promise<void> {
	await sql`update users set erased_at = now() where id = ${userId}`
}
