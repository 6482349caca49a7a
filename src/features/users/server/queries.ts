import type { PasswordOrigin, Role } from '#features/auth/contract.ts'
import {
	getShownBalance,
	hasSecondFactor,
	provedEmail,
	roleOf,
	seatOf,
	type Balances,
	type Member,
} from '#features/auth/server/queries.ts'
import type { Seat } from '#lib/endpoint.ts'
import type { Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { verbatim } from '#lib/server/statement.ts'
import type { Business, UserSort } from '../contract.ts'

export interface User extends Business {
	id: number
	name: string
	email: string
	role: Role
	seat: Seat
	isActive: boolean
	hasSecondFactor: boolean
	passwordFrom: PasswordOrigin
	balancePaise: number
	createdAt: Date
	/** Null while the account's counted links work. */
	linksStoppedAt: Date | null
	linksStoppedReason: string | null
}

/** Returns SQL for the business details; empty texts where not given. */
const businessColumns = (sql: Sql) => sql`
	coalesce(u.business_name, '') as "businessName", coalesce(u.business_address, '') as "businessAddress",
	coalesce(u.business_state, '') as "businessState", coalesce(u.gstin, '') as gstin
`

const personColumns = (sql: Sql) => sql`
	u.id, u.name, u.email, ${roleOf(sql)} as role, ${seatOf(sql)} as seat, u.is_active as "isActive", u.created_at as "createdAt",
	${hasSecondFactor(sql)} as "hasSecondFactor", u.password_from as "passwordFrom",
	u.links_stopped_at as "linksStoppedAt", u.links_stopped_reason as "linksStoppedReason",
	${businessColumns(sql)}
`

export async function findUser(sql: Sql, userId: number, balances: Balances): Promise<User | undefined> {
	const [row] = await sql<(Omit<User, 'balancePaise'> & Pick<Member, 'accountId' | 'worksIn'>)[]>`
		select ${personColumns(sql)}, u.account_id as "accountId", u.works_in as "worksIn"
		from users u
		where u.id = ${userId} and u.deleted_at is null
	`
	if (!row) return undefined
	// Reads the balance by account, so that on Citus one node answers.
	const { accountId, worksIn, ...person } = row
	const balancePaise = await getShownBalance(sql, { accountId, worksIn, ...person }, balances)
	return { ...person, balancePaise }
}

const matching = (sql: Sql, search: string) =>
	search
		? sql`and (${containsFolded(sql, sql`u.name`, search)} or ${containsFolded(sql, sql`u.email`, search)})`
		: sql``

const SORT_COLUMNS: Record<UserSort, string> = {
	createdAt: 'u.id',
	name: `lower(u.name) collate "C"`,
	walletBalance: 'coalesce(w.available_paise, 0)',
}

/** Returns a page of users of all accounts. */
export async function listUsers(
	sql: Sql,
	wanted: PageQuery & { search: string; sort: UserSort; order: 'asc' | 'desc'; balances: Balances },
): Promise<User[]> {
	return sql<User[]>`
		select ${personColumns(sql)}, coalesce(w.available_paise, 0) as "balancePaise"
		from users u
		left join ${wanted.balances(sql)} w on w.account_id = u.account_id
		where u.deleted_at is null and u.works_in is null ${matching(sql, wanted.search)}
		order by ${verbatim(`${SORT_COLUMNS[wanted.sort]} ${wanted.order}, u.id ${wanted.order}`)}
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countUsers(sql: Sql, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users u
		where u.deleted_at is null and u.works_in is null ${matching(sql, search)}
	`
	return row?.total ?? 0
}

/** A user's state before a change. */
export type UserState = Member & Business

export async function lockUser(sql: Sql, userId: number): Promise<UserState | undefined> {
	const [row] = await sql<UserState[]>`
		select u.id, u.account_id as "accountId", u.works_in as "worksIn", u.name, u.email, ${roleOf(sql)} as role,
			${seatOf(sql)} as seat, u.is_active as "isActive", ${businessColumns(sql)}
		from users u
		where u.id = ${userId} and u.deleted_at is null
		for update
	`
	return row
}

export async function countOtherActiveAdmins(sql: Sql, userId: number): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from users
		where role = 'admin' and is_active and deleted_at is null and id <> ${userId}
	`
	return row?.total ?? 0
}

/** Returns the address before an unproved change and the time until which it signs in; undefined without such a change. */
export async function findPendingEmail(
	sql: Sql,
	userId: number,
): Promise<{ oldEmail: string; until: Date } | undefined> {
	const [row] = await sql<{ oldEmail: string; until: Date }[]>`
		select u.proved_email as "oldEmail", u.email_unproved_until as until
		from users u
		where u.id = ${userId} and ${provedEmail(sql)} is not null
	`
	return row
}

export interface StoppedLinks {
	since: Date
	reason: string
}

/** Returns the time and the reason of the stop of a user's counted links; undefined while they work. */
export async function findStoppedLinks(sql: Sql, userId: number): Promise<StoppedLinks | undefined> {
	const [row] = await sql<StoppedLinks[]>`
		select links_stopped_at as since, coalesce(links_stopped_reason, '') as reason
		from users
		where id = ${userId} and links_stopped_at is not null
	`
	return row
}
