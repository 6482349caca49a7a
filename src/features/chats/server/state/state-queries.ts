import type { AccountId, Sql } from '#lib/server/db.ts'

export interface ChatState {
	/** The person who has the chat; null for an unassigned one. */
	assignedTo: number | null
	isClosed: boolean
	unread: number
}

/** Returns the state of a chat, and locks the chat until the transaction ends; undefined without one. */
export async function lockState(sql: Sql, accountId: AccountId, key: string): Promise<ChatState | undefined> {
	const [row] = await sql<ChatState[]>`
		select assigned_to as "assignedTo", closed_at is not null as "isClosed", unread
		from chats where account_id = ${accountId} and key = ${key}
		for update
	`
	return row
}

export async function updateAssignee(
	sql: Sql,
	accountId: AccountId,
	{ key, to }: { key: string; to: number | null },
): Promise<void> {
	await sql`update chats set assigned_to = ${to}::bigint where account_id = ${accountId} and key = ${key}`
}

export async function updateClosed(
	sql: Sql,
	accountId: AccountId,
	{ key, isClosed }: { key: string; isClosed: boolean },
): Promise<void> {
	const closedAt = isClosed ? sql`now()` : sql`null`
	await sql`update chats set closed_at = ${closedAt} where account_id = ${accountId} and key = ${key}`
}

/** Takes all chats of these people from them. Locks the chats in the order of their keys, as inbound messages do. */
export async function clearAssignees(sql: Sql, accountId: AccountId, userIds: readonly number[]): Promise<number> {
	await sql`
		select 1 from chats where account_id = ${accountId} and assigned_to = any(${userIds}::bigint[]) order by key for update
	`
	const { count } = await sql`
		update chats set assigned_to = null where account_id = ${accountId} and assigned_to = any(${userIds}::bigint[])
	`
	return count
}
