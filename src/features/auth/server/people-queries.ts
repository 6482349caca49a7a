import type { AccountId, Sql } from '#lib/server/db.ts'

/** A person of an account: its owner or a colleague. */
export interface Person {
	id: number
	name: string
}

/** Returns the SQL condition that user `u` is the owner of an account, or was invited to it. */
const isOfAccount = (sql: Sql, accountId: AccountId) => sql`(u.account_id = ${accountId} or u.works_in = ${accountId})`

/** Returns SQL for the ids of the people who work in an account, and of those who did. */
export const peopleOf = (sql: Sql, accountId: AccountId) => sql`
	select u.id from users u where ${isOfAccount(sql, accountId)}
`

/** Returns the SQL condition that user `u` works in an account: as its owner, or having accepted the invitation. */
const worksIn = (sql: Sql, accountId: AccountId) => sql`
	${isOfAccount(sql, accountId)} and (u.works_in is null or u.password_from <> 'nobody') and u.deleted_at is null
`

/** Returns the people who work in an account: the owner, then the colleagues in the order of their invitation. */
export async function listPeople(sql: Sql, accountId: AccountId): Promise<Person[]> {
	return sql<Person[]>`
		select u.id, u.name from users u where ${worksIn(sql, accountId)} order by u.works_in is not null, u.id
	`
}

/** Maximum number of people by whom the activity is filtered: the owner, and the colleagues that were invited last. */
const MAX_PEOPLE = 100

/** Returns the people who work in an account, and those who did and are not erased yet. The owner comes first. */
export async function listAllPeople(sql: Sql, accountId: AccountId): Promise<Person[]> {
	return sql<Person[]>`
		select u.id, u.name from users u where ${isOfAccount(sql, accountId)} and u.erased_at is null
		order by u.works_in is null desc, u.id desc
		limit ${MAX_PEOPLE}
	`
}

/** Returns the SQL condition that several people work in an account. */
export const hasSeveral = (sql: Sql, accountId: AccountId) => sql`(
	(select count(*) from users u where ${worksIn(sql, accountId)}) > 1
)`

/** Returns true when several people work in an account. */
export async function isShared(sql: Sql, accountId: AccountId): Promise<boolean> {
	const [row] = await sql<{ isShared: boolean }[]>`select ${hasSeveral(sql, accountId)} as "isShared"`
	return row?.isShared ?? false
}

/**
 * Returns true for a person who works in the account. The person cannot be removed until the transaction ends, so that the
 * removal also takes back the chats that the transaction assigns to the person.
 */
export async function lockPerson(sql: Sql, accountId: AccountId, id: number): Promise<boolean> {
	const rows = await sql`select 1 from users u where u.id = ${id} and ${worksIn(sql, accountId)} for share`
	return rows.length > 0
}

/** Takes an account's chats from removed colleagues. The app supplies the function. */
export type OnColleaguesRemoved = (sql: Sql, accountId: AccountId, userIds: readonly number[]) => Promise<void>
