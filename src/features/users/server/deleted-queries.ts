import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

/** A deleted user whose data is not erased yet. `worksIn` is null unless the user was a colleague in that account. */
export interface DeletedUser {
	id: number
	accountId: AccountId
	worksIn: AccountId | null
	name: string
	email: string
	deletedAt: Date
	/** Time from which the data is erased. */
	erasedFrom: Date
}

/**
 * Returns SQL for deleted users with the time of their erasure. For users deleted before the erasure of accounts
 * existed, the retention begins with its migration.
 */
const deletedUsers = (sql: Sql, days: number) => sql`(
	select u.id, u.account_id as "accountId", u.works_in as "worksIn", u.name, u.email, u.deleted_at as "deletedAt",
		greatest(u.deleted_at, (select applied_at from schema_migrations where file like '%_erased_accounts.sql'))
			+ make_interval(days => ${days}) as "erasedFrom"
	from users u
	where u.deleted_at is not null and u.erased_at is null
)`

/** Returns a page of deleted users without colleagues, who left no data of their own; next erasure first. */
export async function listDeleted(sql: Sql, { days, ...page }: PageQuery & { days: number }): Promise<DeletedUser[]> {
	return sql<DeletedUser[]>`
		select * from ${deletedUsers(sql, days)} d
		where d."worksIn" is null
		order by d."deletedAt", d.id
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

export async function countDeleted(sql: Sql): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users
		where deleted_at is not null and erased_at is null and works_in is null
	`
	return row?.total ?? 0
}

/** Returns the first `limit` users whose retention has ended. */
export async function listDueForErasure(
	sql: Sql,
	{ days, limit }: { days: number; limit: number },
): Promise<DeletedUser[]> {
	return sql<DeletedUser[]>`
		select * from ${deletedUsers(sql, days)} d where d."erasedFrom" <= now() order by d."deletedAt", d.id limit ${limit}
	`
}
