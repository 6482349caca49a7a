import type { AccountId, Sql } from '#lib/server/db.ts'

/** The stored file of a saved reply. */
export interface ReplyFile {
	key: string
	type: string
	name: string
	bytes: number
}

export interface SavedReplyRow {
	id: number
	shortcut: string
	text: string
	file: ReplyFile | null
}

type NewReply = Omit<SavedReplyRow, 'id'>

// Not for RETURNING, where Citus refuses functions that are not IMMUTABLE.
const columns = (sql: Sql) => sql`
	id, shortcut, text,
	case when file_key is not null then jsonb_build_object(
		'key', file_key, 'type', file_type, 'name', file_name, 'bytes', file_bytes
	) end as file
`

export async function listSaved(sql: Sql, accountId: AccountId): Promise<SavedReplyRow[]> {
	return sql<SavedReplyRow[]>`
		select ${columns(sql)} from saved_replies where account_id = ${accountId} order by shortcut collate "C", id
	`
}

export async function findSaved(sql: Sql, accountId: AccountId, id: string): Promise<SavedReplyRow | undefined> {
	const [row] = await sql<SavedReplyRow[]>`
		select ${columns(sql)} from saved_replies where account_id = ${accountId} and id = ${id}::bigint
	`
	return row
}

/** Locks the replies of an account until the transaction ends, so that no other transaction adds or changes one. */
export async function lockReplies(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`replies of ${accountId}`}, 0))`
}

export async function insertSaved(sql: Sql, accountId: AccountId, reply: NewReply): Promise<SavedReplyRow> {
	const { shortcut, text, file } = reply
	const [row] = await sql<{ id: number }[]>`
		insert into saved_replies (account_id, shortcut, text, file_key, file_type, file_name, file_bytes)
		values (
			${accountId}, ${shortcut}, ${text}, ${file?.key ?? null}, ${file?.type ?? null}, ${file?.name ?? null},
			${file?.bytes ?? null}
		)
		returning id
	`
	if (!row) throw new Error('an insert returns its row')
	return { id: row.id, shortcut, text, file }
}

/** Changes a saved reply. Returns undefined when the account has none with this id. */
export async function updateSaved(
	sql: Sql,
	accountId: AccountId,
	{ id, shortcut, text, file }: NewReply & { id: string },
): Promise<SavedReplyRow | undefined> {
	const [row] = await sql<{ id: number }[]>`
		update saved_replies
		set shortcut = ${shortcut}, text = ${text}, file_key = ${file?.key ?? null}, file_type = ${file?.type ?? null},
			file_name = ${file?.name ?? null}, file_bytes = ${file?.bytes ?? null}
		where account_id = ${accountId} and id = ${id}::bigint
		returning id
	`
	return row && { id: row.id, shortcut, text, file }
}

/** Deletes a saved reply; a sweep deletes its file. Returns false when the account has none with this id. */
export async function deleteSaved(sql: Sql, accountId: AccountId, id: string): Promise<boolean> {
	const { count } = await sql`delete from saved_replies where account_id = ${accountId} and id = ${id}::bigint`
	return count > 0
}
