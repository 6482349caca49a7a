import type { AccountId, Sql } from '#lib/server/db.ts'

/** A person who works in an account: its owner, or a colleague who has accepted the invitation. */
export interface Worker {
	id: number
	name: string
}

const isWorker = (sql: Sql, accountId: AccountId) => sql`
	(u.account_id = ${accountId} and u.works_in is null or u.works_in = ${accountId} and u.password_from <> 'nobody')
	and u.deleted_at is null
`

/** Returns the people who work in an account: the owner, then the colleagues in the order of their invitation. */
export async function listWorkers(sql: Sql, accountId: AccountId): Promise<Worker[]> {
	return sql<Worker[]>`
		select u.id, u.name from users u where ${isWorker(sql, accountId)} order by u.works_in is not null, u.id
	`
}

/** Returns true when several people work in an account. */
export async function isShared(sql: Sql, accountId: AccountId): Promise<boolean> {
	return (await listWorkers(sql, accountId)).length > 1
}

/**
 * Returns true for a person who works in the account. The person cannot be removed until the transaction ends, so that the
 * removal also takes back the chats that the transaction assigns to the person.
 */
export async function lockWorker(sql: Sql, accountId: AccountId, id: number): Promise<boolean> {
	const rows = await sql`select 1 from users u where u.id = ${id} and ${isWorker(sql, accountId)} for share`
	return rows.length > 0
}

/** Takes an account's chats from removed colleagues. The app supplies the function. */
export type OnColleaguesRemoved = (sql: Sql, accountId: AccountId, userIds: readonly number[]) => Promise<void>
