import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import { identifier } from '#lib/server/statement.ts'

export const deleteOldSignIns = deleteOldest('sign_ins', 'signed_in_at')
export const deleteOldWork = deleteOldest('account_actions', 'created_at')

/** Returns a function that deletes an account's rows of a table that are older than `age`, the oldest first. */
function deleteOldest(name: string, column: string) {
	const [table, time] = [identifier(name), identifier(column)]
	return async (sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> => {
		const old = sql`from ${table} where account_id = ${accountId} and ${time} < now() - ${age}::interval`
		const { count } = await sql`delete ${old} and id in (select id ${old} order by ${time} limit ${limit})`
		return count
	}
}

// On Citus, every node holds the tables below. A statement that reads and deletes from such a table deadlocks with others of
// its kind, and a delete locks the whole table, so a separate statement finds the rows first.

export async function deleteOldSessionsAllAccounts(sql: Sql, { age, limit }: OldRows): Promise<number> {
	const ended = await sql<{ hash: Buffer }[]>`
		select token_hash as hash from sessions where expires_at < now() - ${age}::interval limit ${limit}
	`
	if (ended.length > 0) await sql`delete from sessions where token_hash = any(${hashesOf(ended)}::bytea[])`
	return ended.length
}

export async function deleteOldResetsAllAccounts(sql: Sql, { age, limit }: OldRows): Promise<number> {
	const expired = await sql<{ hash: Buffer }[]>`
		select token_hash as hash from password_resets where expires_at < now() - ${age}::interval limit ${limit}
	`
	if (expired.length > 0) await sql`delete from password_resets where token_hash = any(${hashesOf(expired)}::bytea[])`
	return expired.length
}

/** Deletes old links, except links of changes that can still be agreed to or undone. */
export async function deleteOldEmailChangesAllAccounts(sql: Sql, { age, limit }: OldRows): Promise<number> {
	const ended = await sql<{ hash: Buffer }[]>`
		select c.token_hash as hash
		from email_changes c
		join users u on u.id = c.user_id
		where c.created_at < now() - ${age}::interval
			and (c.outcome is not null or u.email_unproved_until is null or u.email_unproved_until < now())
		limit ${limit}
	`
	if (ended.length > 0) await sql`delete from email_changes where token_hash = any(${hashesOf(ended)}::bytea[])`
	return ended.length
}

const hashesOf = (rows: readonly { hash: Buffer }[]) => rows.map(({ hash }) => hash)

/**
 * Deletes entries of the audit trail older than `age`. The table's trigger allows the deletion only in a transaction
 * that sets `audit.retention`.
 */
export async function deleteOldActionsAllAccounts(db: Db, { age, limit }: OldRows): Promise<number> {
	const old = await db<{ id: number }[]>`
		select id from (select id, created_at from admin_actions order by id limit ${limit}) as oldest
		where created_at < now() - ${age}::interval
	`
	if (old.length === 0) return 0
	await transaction(db, async (sql) => {
		await sql`set local audit.retention = 'on'`
		await sql`delete from admin_actions where id = any(${old.map(({ id }) => id)}::bigint[])`
	})
	return old.length
}
