import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'

/**
 * Deletes old messages; a sweep deletes their files. Ids grow with time, within seconds, so the oldest rows are found by the
 * primary key.
 */
export async function deleteOldMessages(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from chat_messages where account_id = ${accountId} and at < now() - ${age}::interval and id in (
			select id from (select id, at from chat_messages where account_id = ${accountId} order by id limit ${limit}) as oldest
			where at < now() - ${age}::interval
		)
	`
	return count
}

/** Deletes old reactions and texts of edited messages. */
export async function deleteOldMarks(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from chat_marks
		where account_id = ${accountId} and at < now() - ${age}::interval and (target_wamid, kind, is_own) in (
			select target_wamid, kind, is_own from chat_marks
			where account_id = ${accountId} and at < now() - ${age}::interval
			order by at
			limit ${limit}
		)
	`
	return count
}

/**
 * Deletes old chats without messages, because a chat's last line is a text, too. The condition on the age is repeated for the
 * deleted row, which is read again after waiting for the lock of a new message.
 */
export async function deleteOldChats(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from chats c
		where c.account_id = ${accountId} and c.last_at < now() - ${age}::interval and c.key in (
			select key from chats where account_id = ${accountId} and last_at < now() - ${age}::interval order by last_at limit ${limit}
		) and not exists (select 1 from chat_messages m where m.account_id = ${accountId} and m.chat = c.key)
	`
	return count
}

/**
 * Copies the outcomes of campaign messages that are about to be deleted to the chat's templates. Returns the number of updated
 * templates of these campaigns, at most `limit`; 0 when none is left.
 */
export async function copyOutcomes(
	sql: Sql,
	accountId: AccountId,
	{ firstId, endId, limit }: { firstId: number; endId: number; limit: number },
): Promise<number> {
	const { count } = await sql`
		update chat_messages m
		set status = o.status, wamid = o.wamid, error_code = o.error_code, error = o.error, sent_at = o.sent_at,
			status_at = o.status_at, campaign_id = null
		from (
			select t.id, c.status, c.wamid, c.error_code, c.error, c.sent_at, c.status_at
			from chat_messages t
			join campaign_messages c on c.account_id = ${accountId} and c.campaign_id = t.campaign_id and c.seq = 1
			where t.account_id = ${accountId} and t.campaign_id >= ${firstId} and t.campaign_id < ${endId}
			limit ${limit}
		) as o
		where m.account_id = ${accountId} and m.campaign_id >= ${firstId} and m.campaign_id < ${endId} and m.id = o.id
	`
	return count
}

/** Returns the given files that are used by a chat, a saved reply, a template, a person's header, or a campaign whose messages are stored. */
export async function listUsedFiles(
	sql: Sql,
	accountId: AccountId,
	keys: readonly string[],
): Promise<{ key: string }[]> {
	return sql<{ key: string }[]>`
		select media_key as key from chat_messages where account_id = ${accountId} and media_key = any(${keys}::text[])
		union
		select file_key from header_files where account_id = ${accountId} and file_key = any(${keys}::text[])
		union
		select file_key from saved_replies where account_id = ${accountId} and file_key = any(${keys}::text[])
		union
		select header_file from templates where account_id = ${accountId} and header_file = any(${keys}::text[])
		union
		select file from templates, unnest(card_files) as file
		where account_id = ${accountId} and card_files && ${keys}::text[]
		union
		select file from campaigns, unnest(card_files) as file
		where account_id = ${accountId} and card_files && ${keys}::text[] and messages_removed_at is null
		union
		select header_file from campaigns
		where account_id = ${accountId} and header_file = any(${keys}::text[]) and messages_removed_at is null
	`
}
