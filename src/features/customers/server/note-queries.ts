import { authorName } from '#features/auth/server/queries.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

export interface Note {
	id: number
	text: string
	createdAt: Date
	/** Name of the person who wrote the note; null for a note from before notes had one, and in an account without colleagues. */
	author: string | null
}

/** Returns the newest `limit` notes about customers with these keys. */
export async function listNotes(
	sql: Sql,
	accountId: AccountId,
	{ keys, limit }: { keys: readonly string[]; limit: number },
): Promise<Note[]> {
	return sql<Note[]>`
		select n.id, n.text, n.created_at as "createdAt", ${authorName(sql, sql`n.written_by`)} as author
		from customer_notes n
		where n.account_id = ${accountId} and n.customer = any(${keys}::text[])
		order by n.id desc
		limit ${limit}
	`
}

export async function countNotes(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<number> {
	const [row] = await sql<{ notes: number }[]>`
		select count(*) as notes from customer_notes where account_id = ${accountId} and customer = any(${keys}::text[])
	`
	return row?.notes ?? 0
}

/** Locks the notes about a customer until the transaction ends, so that no other transaction adds one. */
export async function lockNotes(sql: Sql, accountId: AccountId, customer: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`notes of ${accountId} about ${customer}`}, 0))`
}

export async function insertNote(
	sql: Sql,
	accountId: AccountId,
	{ customer, text, userId }: { customer: string; text: string; userId: number },
): Promise<Note> {
	const [row] = await sql<Note[]>`
		insert into customer_notes (account_id, customer, text, written_by)
		values (${accountId}, ${customer}, ${text}, ${userId})
		returning id, text, created_at as "createdAt"
	`
	const [person] = await sql<Pick<Note, 'author'>[]>`select ${authorName(sql, sql`${userId}::bigint`)} as author`
	if (!row) throw new Error('an insert returns its row')
	return { ...row, author: person?.author ?? null }
}

/** Deletes a note. Returns the key of its customer; undefined when the account has no note with this id. */
export async function deleteNote(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ customer: string }[]>`
		delete from customer_notes where account_id = ${accountId} and id = ${id}::bigint returning customer
	`
	return row?.customer
}

/** Moves notes to another customer; with `until`, only notes written up to that time. */
export async function updateCustomer(
	sql: Sql,
	accountId: AccountId,
	{ from, into, until = null }: { from: string; into: string; until?: Date | null },
): Promise<void> {
	await sql`
		update customer_notes set customer = ${into}
		where account_id = ${accountId} and customer = ${from} ${until ? sql`and created_at <= ${until}` : sql``}
	`
}

/** Deletes all notes about customers with these keys. Returns the number of notes. */
export async function deleteNotesOf(sql: Sql, accountId: AccountId, keys: readonly string[]): Promise<number> {
	const { count } = await sql`
		delete from customer_notes where account_id = ${accountId} and customer = any(${keys}::text[])
	`
	return count
}

/** Deletes old notes about customers who are not contacts. A contact's notes stay as long as the contact. */
export async function deleteOldNotes(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from customer_notes n
		where n.account_id = ${accountId} and n.created_at < now() - ${age}::interval
			and not exists (select from contacts c where c.account_id = ${accountId} and c.number = n.customer)
			and n.id in (
				select n.id from customer_notes n
				where n.account_id = ${accountId} and n.created_at < now() - ${age}::interval
					and not exists (select from contacts c where c.account_id = ${accountId} and c.number = n.customer)
				order by n.id
				limit ${limit}
			)
	`
	return count
}
