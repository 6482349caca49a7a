import type { OwnerId, Sql } from '#lib/server/db.ts'
import { containing, offsetOf, type PageQuery } from '#lib/server/paging.ts'

export interface Group {
	id: number
	name: string
	type: 'national' | 'international'
	description: string | null
	createdAt: Date
}

export type NewGroup = Omit<Group, 'id' | 'createdAt'>

const groupColumns = (sql: Sql) => sql`id, name, type, description, created_at as "createdAt"`

const named = (sql: Sql, search: string) => (search ? sql`and name ilike ${containing(search)}` : sql``)

/** Newest first. */
export async function listGroups(sql: Sql, owner: OwnerId, wanted: PageQuery & { search: string }): Promise<Group[]> {
	return sql<Group[]>`
		select ${groupColumns(sql)}
		from contact_groups
		where account_id = ${owner} ${named(sql, wanted.search)}
		order by id desc
		limit ${wanted.limit} offset ${offsetOf(wanted)}
	`
}

export async function countGroups(sql: Sql, owner: OwnerId, search: string): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from contact_groups where account_id = ${owner} ${named(sql, search)}
	`
	return row?.total ?? 0
}

export async function insertGroup(sql: Sql, owner: OwnerId, group: NewGroup): Promise<Group> {
	const [row] = await sql<Group[]>`
		insert into contact_groups (account_id, name, type, description)
		values (${owner}, ${group.name}, ${group.type}, ${group.description})
		returning ${groupColumns(sql)}
	`
	if (!row) throw new Error('the new group did not come back')
	return row
}

export async function findGroup(sql: Sql, owner: OwnerId, id: string): Promise<Group | undefined> {
	const [row] = await sql<Group[]>`
		select ${groupColumns(sql)}
		from contact_groups
		where account_id = ${owner} and id = ${id}
	`
	return row
}
