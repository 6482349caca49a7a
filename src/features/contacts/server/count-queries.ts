import type { AccountId, Sql } from '#lib/server/db.ts'
import type { Statement } from '#lib/server/statement.ts'

/**
 * Returns SQL that adds a CTE named `changes` of (group_id, change) to the cached counts of the groups and of the
 * account. Rows are written in key order, so that concurrent statements cannot deadlock.
 */
export const updateCachedCounts = (sql: Sql, accountId: AccountId): Statement => sql`
	insert into contact_counts (account_id, group_id, contacts)
	select ${accountId}::bigint, keys.group_id, sum(changes.change)
	from changes
	cross join lateral (values (0::bigint), (changes.group_id)) keys (group_id)
	where keys.group_id is not null
	group by keys.group_id
	having sum(changes.change) <> 0
	order by keys.group_id
	on conflict (account_id, group_id) do update set contacts = contact_counts.contacts + excluded.contacts
`

/** Locks the account's cached counts until the transaction ends. */
export async function lockCounts(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`
		insert into contact_counts (account_id, group_id, contacts) values (${accountId}, 0, 0) on conflict do nothing
	`
	await sql`select 1 from contact_counts where account_id = ${accountId} and group_id = 0 for update`
}

/**
 * Returns the cached number of contacts in a group, or in the account when `groupId` is null; 0 without a cached count.
 */
export async function findCachedCount(sql: Sql, accountId: AccountId, groupId: number | null): Promise<number> {
	const [row] = await sql<{ contacts: number }[]>`
		select contacts from contact_counts where account_id = ${accountId} and group_id = ${groupId ?? 0}
	`
	return row?.contacts ?? 0
}

/** Lists cached counts that differ from the actual counts; for tests and benchmarks. */
export async function listCountDrift(
	sql: Sql,
	accountId: AccountId,
): Promise<{ groupId: number; cached: number; found: number }[]> {
	return sql<{ groupId: number; cached: number; found: number }[]>`
		with found as (
			select 0 as group_id, count(*) as contacts from contacts where account_id = ${accountId}
			union all
			select c.group_id, count(*) from contacts c
			join contact_groups g on g.account_id = ${accountId} and g.id = c.group_id and g.deleted_at is null
			where c.account_id = ${accountId} group by c.group_id
		), cached as (
			select k.group_id, k.contacts from contact_counts k
			where k.account_id = ${accountId} and not exists (
				select 1 from contact_groups g where g.account_id = ${accountId} and g.id = k.group_id and g.deleted_at is not null
			)
		)
		select coalesce(f.group_id, k.group_id) as "groupId", coalesce(k.contacts, 0) as cached, coalesce(f.contacts, 0) as found
		from found f full join cached k on k.group_id = f.group_id
		where coalesce(k.contacts, 0) <> coalesce(f.contacts, 0)
	`
}
