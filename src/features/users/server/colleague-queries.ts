import type { ColleagueSeat } from '#features/auth/contract.ts'
import { hasSecondFactor } from '#features/auth/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'

export interface ColleagueRow {
	id: number
	name: string
	email: string
	seat: ColleagueSeat
	isInvited: boolean
	hasSecondFactor: boolean
	lastSeenAt: Date | null
	createdAt: Date
}

/** Returns the colleagues in an account, in the order of their invitation. */
export async function listColleagues(sql: Sql, accountId: AccountId): Promise<ColleagueRow[]> {
	return sql<ColleagueRow[]>`
		select u.id, u.name, u.email, u.role as seat, u.password_from = 'nobody' as "isInvited",
			${hasSecondFactor(sql)} as "hasSecondFactor",
			(select max(s.last_seen_at) from sessions s where s.user_id = u.id) as "lastSeenAt", u.created_at as "createdAt"
		from users u
		where u.works_in = ${accountId} and u.deleted_at is null
		order by u.id
	`
}

/** Returns a colleague in the account, and locks the row until the transaction ends; undefined without one. */
export async function lockColleague(
	sql: Sql,
	accountId: AccountId,
	id: number,
): Promise<Pick<ColleagueRow, 'id' | 'seat' | 'isInvited'> | undefined> {
	const [row] = await sql<Pick<ColleagueRow, 'id' | 'seat' | 'isInvited'>[]>`
		select id, role as seat, password_from = 'nobody' as "isInvited" from users
		where works_in = ${accountId} and id = ${id} and deleted_at is null
		for update
	`
	return row
}
