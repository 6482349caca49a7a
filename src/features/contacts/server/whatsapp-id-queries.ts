import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim, type Statement } from '#lib/server/statement.ts'

/** Number as it was written to, and WhatsApp's own id for it. */
export interface WhatsappId {
	number: string
	waId: string
}

/** Stores the ids. Returns the ids that were new or have changed. */
export async function upsertWhatsappIds(
	sql: Sql,
	accountId: AccountId,
	ids: readonly WhatsappId[],
): Promise<WhatsappId[]> {
	const sorted = ids.toSorted((a, b) => (a.number < b.number ? -1 : 1))
	return sql<WhatsappId[]>`
		insert into whatsapp_ids as w (account_id, number, wa_id)
		select ${accountId}::bigint, n.number, n.wa_id
		from unnest(${sorted.map((i) => i.number)}::text[], ${sorted.map((i) => i.waId)}::text[]) as n (number, wa_id)
		on conflict (account_id, number) do update set wa_id = excluded.wa_id where w.wa_id <> excluded.wa_id
		returning w.number, w.wa_id as "waId"
	`
}

/**
 * Returns the other numbers under which WhatsApp reaches the same person as under each given number, including
 * WhatsApp's id.
 */
export async function listSamePeople(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<{ number: string; same: string }[]> {
	return sql<{ number: string; same: string }[]>`
		with given as (
			select n.number, coalesce(w.wa_id, n.number) as wa_id
			from unnest(${numbers}::text[]) as n (number)
			left join whatsapp_ids w on w.account_id = ${accountId} and w.number = n.number
		)
		select g.number, w.number as same from given g
		join whatsapp_ids w on w.account_id = ${accountId} and w.wa_id = g.wa_id
		where w.number <> g.number
		union all
		select number, wa_id from given where wa_id <> number
	`
}

/** A number or WhatsApp user id that a person had, the one that they have now, and the time of the change. */
export interface FormerId {
	id: string
	nowId: string
	changedAt: Date
}

/** Returns the changes of these numbers and ids. */
export async function listFormerIds(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<FormerId[]> {
	if (ids.length === 0) return []
	return sql<FormerId[]>`
		select id, now_id as "nowId", changed_at as "changedAt" from former_ids
		where account_id = ${accountId} and id = any(${ids}::text[])
	`
}

/**
 * Stores a change. Points earlier changes that led to the former id to the new id. A number that the person gets back is no
 * longer a former number.
 */
export async function insertFormerId(
	sql: Sql,
	accountId: AccountId,
	{ id, nowId, changedAt }: FormerId,
): Promise<void> {
	await redirectFormerIds(sql, accountId, { from: id, into: nowId })
	await sql`
		insert into former_ids (account_id, id, now_id, changed_at) values (${accountId}, ${id}, ${nowId}, ${changedAt})
		on conflict (account_id, id) do update set now_id = excluded.now_id, changed_at = excluded.changed_at
	`
}

/** Points the former ids that lead to `from` to `into`, the person's present number or id. */
export async function redirectFormerIds(
	sql: Sql,
	accountId: AccountId,
	{ from, into }: { from: string; into: string },
): Promise<void> {
	await sql`delete from former_ids where account_id = ${accountId} and id = ${into} and now_id = ${from}`
	await sql`update former_ids set now_id = ${into} where account_id = ${accountId} and now_id = ${from}`
}

/** Locks the changes from and into these numbers and ids. */
export async function lockFormerIds(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<void> {
	await sql`
		select 1 from former_ids
		where account_id = ${accountId} and (id = any(${names}::text[]) or now_id = any(${names}::text[]))
		order by id for update
	`
}

/** SQL condition that a column has a WhatsApp user id, and no number. */
const isUserIdIn = (sql: Sql, column: Statement) => sql`position('.' in ${column}) > 0`

/**
 * Selects the last known number of each person who hides the number now, as rows of `now_id` and `number`. The contact has this
 * number.
 */
const lastNumbers = (sql: Sql, accountId: AccountId) => sql`
	select distinct on (f.now_id) f.now_id, f.id as number from former_ids f
	where f.account_id = ${accountId} and ${isUserIdIn(sql, sql`f.now_id`)} and not ${isUserIdIn(sql, sql`f.id`)}
	order by f.now_id, f.changed_at desc, f.id
`

/**
 * Selects the owners of former numbers and user ids, as rows of `id`, `until` and `number`: the messages from and to `id`
 * until `until` belong to the person who has `number` now, later messages to the next owner of `id`. A person without a known
 * number has the user id as `number`.
 */
export const numberOwners = (sql: Sql, accountId: AccountId): Statement => sql`(
	with last as (${lastNumbers(sql, accountId)})
	select f.id, f.changed_at as until, coalesce(l.number, f.now_id) as number from former_ids f
	left join last l on l.now_id = f.now_id
	where f.account_id = ${accountId}
	union all
	select l.now_id, 'infinity'::timestamptz, l.number from last l
)`

/** Time at which a campaign message `m` went to its number: its send time, else the time of its status. */
const MESSAGE_TIME = verbatim('coalesce(m.sent_at, m.status_at)')

/** Joins as `o` the `numberOwners` of campaign messages `m`: the present number of a recipient who has changed it since. */
export const ownersOfMessages = (sql: Sql, accountId: AccountId): Statement => sql`
	left join ${numberOwners(sql, accountId)} o on o.id = m.number and ${MESSAGE_TIME} <= o.until
`

/** Returns true when people of the account have changed their numbers or user ids. Without, no statement asks for owners. */
export async function hasFormerIds(sql: Sql, accountId: AccountId): Promise<boolean> {
	return (await sql`select 1 from former_ids where account_id = ${accountId} limit 1`).length > 0
}

/**
 * Returns the person's other user ids, and the number of the contact, for each given user id. Earlier numbers are left out,
 * because they may belong to other people.
 */
export async function listIdsBefore(
	sql: Sql,
	accountId: AccountId,
	userIds: readonly string[],
): Promise<{ number: string; same: string }[]> {
	if (userIds.length === 0) return []
	return sql<{ number: string; same: string }[]>`
		select f.now_id as number, f.id as same from former_ids f
		where f.account_id = ${accountId} and f.now_id = any(${userIds}::text[]) and ${isUserIdIn(sql, sql`f.id`)}
		union all
		select l.now_id, l.number from (${lastNumbers(sql, accountId)}) l where l.now_id = any(${userIds}::text[])
	`
}

/** Returns the former and present numbers and ids of the people with these numbers and ids. */
export async function listChangedIds(sql: Sql, accountId: AccountId, ids: readonly string[]): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		with present as (
			select now_id from former_ids where account_id = ${accountId} and id = any(${ids}::text[])
			union select unnest(${ids}::text[])
		)
		select now_id as id from present
		union
		select f.id from former_ids f join present p on p.now_id = f.now_id where f.account_id = ${accountId}
	`
	return rows.map(({ id }) => id)
}

/**
 * Selects the changes whose former number or id was the person's at `at`, as rows of `id` and `now_id`. A person who hides the
 * number now may still get messages at the former one.
 */
export const formerIdsAt = (sql: Sql, accountId: AccountId, at: Statement): Statement => sql`(
	select f.id, f.now_id from former_ids f
	where f.account_id = ${accountId} and (${at} <= f.changed_at or ${isUserIdIn(sql, sql`f.now_id`)})
)`

/**
 * Returns the condition that a number belonged to a person at a time: to one of these names, or to a former number of the person
 * until its change. A time of null is the present.
 */
export const wasNumberOf = (
	sql: Sql,
	accountId: AccountId,
	{ number, at, names }: { number: Statement; at: Statement; names: readonly string[] },
): Statement => sql`(
	${number} = any(array(
		select unnest(${names}::text[])
		union select id from former_ids where account_id = ${accountId} and now_id = any(${names}::text[])
	)) and coalesce(
		(select f.now_id from former_ids f where f.account_id = ${accountId} and f.id = ${number} and ${at} <= f.changed_at),
		${number}
	) = any(${names}::text[])
)`

/** Returns the condition that a campaign message `m` was sent to a person with these names, by `wasNumberOf`. */
export const isMessageTo = (sql: Sql, accountId: AccountId, names: readonly string[]): Statement =>
	wasNumberOf(sql, accountId, { number: sql`m.number`, at: MESSAGE_TIME, names })

/**
 * Deletes the changes that led to these numbers and ids. Keeps changes away from them: such a change separates the history of
 * a number's earlier owner from the history of its present owner.
 */
export async function deleteFormerIds(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<void> {
	await sql`delete from former_ids where account_id = ${accountId} and now_id = any(${names}::text[])`
}
