import type { AccountId, Sql } from '#lib/server/db.ts'
import type { OldRows } from '#lib/server/db/all-accounts.ts'
import type { NewNotification } from '#lib/server/db/channels/notify.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'

export interface Notification {
	id: number
	text: string
	link: string | null
	createdAt: Date
	readAt: Date | null
}

/** Maximum number of notifications per account, enough for years. Older ones are deleted. */
const MAX_KEPT = 1000

/** Stores a notification and returns its id. Deletes the account's oldest notifications above MAX_KEPT. */
export async function insertNotification(
	sql: Sql,
	accountId: AccountId,
	notification: NewNotification,
): Promise<number> {
	const [row] = await sql<{ id: number }[]>`
		insert into notifications (account_id, text, link)
		values (${accountId}, ${notification.text}, ${notification.link ?? null})
		returning id
	`
	await sql`
		delete from notifications
		where account_id = ${accountId} and id <= (
			select id from notifications where account_id = ${accountId} order by id desc offset ${MAX_KEPT} limit 1
		)
	`
	if (!row) throw new Error('an insert returns its row')
	return row.id
}

export async function findNotification(
	sql: Sql,
	accountId: AccountId,
	id: number,
): Promise<NewNotification | undefined> {
	const [row] = await sql<NewNotification[]>`
		select text, link from notifications where account_id = ${accountId} and id = ${id}
	`
	return row
}

/** Deletes notifications whose text contains one of `texts`. */
export async function deleteMentioning(sql: Sql, accountId: AccountId, texts: readonly string[]): Promise<void> {
	await sql`
		delete from notifications n
		where n.account_id = ${accountId}
			and exists (select from unnest(${texts}::text[]) as t (part) where position(t.part in n.text) > 0)
	`
}

export async function deleteOldNotifications(sql: Sql, accountId: AccountId, { age, limit }: OldRows): Promise<number> {
	const { count } = await sql`
		delete from notifications where account_id = ${accountId} and created_at < now() - ${age}::interval and id in (
			select id from (select id, created_at from notifications where account_id = ${accountId} order by id limit ${limit}) as oldest
			where created_at < now() - ${age}::interval
		)
	`
	return count
}

/** Returns true when the account has had a notification with this text within the last day. */
export async function isRecent(sql: Sql, accountId: AccountId, { text }: NewNotification): Promise<boolean> {
	const rows = await sql`
		select 1 from notifications
		where account_id = ${accountId} and text = ${text} and created_at > now() - interval '1 day'
		limit 1
	`
	return rows.length > 0
}

/** Selects unread notifications, or notifications whose link begins with one of `links`. */
export type NotificationFilter = { isUnread: true } | { links: readonly string[] }

function fits(sql: Sql, filter: NotificationFilter | undefined) {
	if (!filter) return sql`true`
	if ('isUnread' in filter) return sql`read_at is null`
	return sql`exists (select from unnest(${filter.links}::text[]) as l (part) where starts_with(link, l.part))`
}

export async function listNotifications(
	sql: Sql,
	accountId: AccountId,
	{ filter, ...page }: PageQuery & { filter: NotificationFilter | undefined },
): Promise<Notification[]> {
	return sql<Notification[]>`
		select id, text, link, created_at as "createdAt", read_at as "readAt"
		from notifications
		where account_id = ${accountId} and ${fits(sql, filter)}
		order by created_at desc, id desc
		limit ${page.limit} offset ${offsetOf(page)}
	`
}

/** Returns the number of notifications that fit the filter, and of all unread ones. */
export async function countNotifications(
	sql: Sql,
	accountId: AccountId,
	filter: NotificationFilter | undefined,
): Promise<{ total: number; unread: number }> {
	const [row] = await sql<{ total: number; unread: number }[]>`
		select count(*) filter (where ${fits(sql, filter)}) as total, count(*) filter (where read_at is null) as unread
		from notifications
		where account_id = ${accountId}
	`
	return row ?? { total: 0, unread: 0 }
}

export async function updateRead(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`update notifications set read_at = now() where account_id = ${accountId} and read_at is null`
}
