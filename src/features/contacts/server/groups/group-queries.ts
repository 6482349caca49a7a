import type { GroupSort } from '#features/contacts/list-contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { containsFolded } from '#lib/server/db/search/folded-search.ts'
import { verbatim } from '#lib/server/statement.ts'

export interface Group {
	id: number
	name: string
	type: 'national' | 'international'
	description: string | null
	contacts: number
	createdAt: Date
}

export type NewGroup = Omit<Group, 'id' | 'contacts' | 'createdAt'>

/** Returns the select of the account's groups, aliased `g`, with their cached counts; the caller adds conditions. */
export const selectGroups = (sql: Sql, accountId: AccountId) => sql`
	select g.id, g.name, g.type, g.description, g.created_at as "createdAt", coalesce(k.contacts, 0) as contacts
	from contact_groups g
	left join contact_counts k on k.account_id = ${accountId} and k.group_id = g.id
	where g.account_id = ${accountId} and g.deleted_at is null
`

const named = (sql: Sql, search: string) => (search ? sql`and ${containsFolded(sql, sql`g.name`, search)}` : sql``)

const SORT_COLUMNS: Record<GroupSort, string> = {
	createdAt: 'g.id',
	name: `lower(g.name) collate "C"`,
	contacts: 'coalesce(k.contacts, 0)',
}

export async function listGroups(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & { search: string; sort: GroupSort; order: 'asc' | 'desc' },
): Promise<Group[]> {
	return sql<Group[]>`
		${selectGroups(sql, accountId)} ${named(sql, wanted.search)}
		order by ${verbatim(`${SORT_COLUMNS[wanted.sort]} ${wanted.order}, g.id ${wanted.order}`)}
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countGroups(sql: Sql, accountId: AccountId, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from contact_groups g
		where g.account_id = ${accountId} and g.deleted_at is null ${named(sql, search)}
	`
	return row?.total ?? 0
}

export async function insertGroup(sql: Sql, accountId: AccountId, group: NewGroup): Promise<Group> {
	const [row] = await sql<Omit<Group, 'contacts'>[]>`
		insert into contact_groups (account_id, name, type, description)
		values (${accountId}, ${group.name}, ${group.type}, ${group.description})
		returning id, name, type, description, created_at as "createdAt"
	`
	if (!row) throw new Error('the new group did not come back')
	return { ...row, contacts: 0 }
}

export async function findGroup(sql: Sql, accountId: AccountId, id: string): Promise<Group | undefined> {
	const [row] = await sql<Group[]>`
		${selectGroups(sql, accountId)} and g.id = ${id}
	`
	return row
}

/** Locks a group against deletion until the transaction ends. Returns false when the group does not exist. */
export async function claimGroup(sql: Sql, accountId: AccountId, id: number): Promise<boolean> {
	const rows = await sql`
		select 1 from contact_groups where account_id = ${accountId} and id = ${id} and deleted_at is null for share
	`
	return rows.length > 0
}

/** Updates a group. Returns false when the group does not exist. */
export async function updateGroup(
	sql: Sql,
	accountId: AccountId,
	{ id, name, type, description }: NewGroup & { id: string },
): Promise<boolean> {
	const { count } = await sql`
		update contact_groups set name = ${name}, type = ${type}, description = ${description}
		where account_id = ${accountId} and id = ${id} and deleted_at is null
	`
	return count > 0
}

/**
 * Marks a group deleted; its contacts are not written, and read as having no group. Returns false when the group does
 * not exist.
 */
export async function deleteGroup(sql: Sql, accountId: AccountId, id: string): Promise<string | undefined> {
	const [row] = await sql<{ name: string }[]>`
		update contact_groups set deleted_at = now() where account_id = ${accountId} and id = ${id} and deleted_at is null
		returning name
	`
	return row?.name
}

/** Deletes the row and the cached count of a deleted group that no contact references. */
export async function deleteEmptyGroup(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	await sql`
		delete from contact_groups g
		where g.account_id = ${accountId} and g.id = ${id} and g.deleted_at is not null and not exists (
			select 1 from contacts c where c.account_id = ${accountId} and c.group_id = ${id}
		)
	`
	await sql`
		delete from contact_counts k
		where k.account_id = ${accountId} and k.group_id = ${id} and not exists (
			select 1 from contact_groups g where g.account_id = ${accountId} and g.id = ${id}
		)
	`
}
