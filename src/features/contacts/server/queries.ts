import type { OwnerId, Sql } from '#lib/server/db.ts'
import { containing, offsetOf, type PageQuery } from '#lib/server/paging.ts'

export interface Contact {
	id: number
	firstName: string
	lastName: string | null
	number: string
	groupId: number | null
	groupName: string | null
	isOptedOut: boolean
	createdAt: Date
}

export interface NewContact {
	firstName: string
	lastName: string | null
	/** In the canonical form. */
	number: string
	groupId: number | null
}

/** `numberPart`: digits to find within numbers, when the text can be read as part of one. */
export interface ContactFilter {
	search: string
	numberPart: string | null
	groupId: number | null
}

const columns = (sql: Sql) => sql`
	c.id, c.first_name as "firstName", c.last_name as "lastName", c.number, c.group_id as "groupId",
	g.name as "groupName", c.opted_out_at is not null as "isOptedOut", c.created_at as "createdAt"
`

const matching = (sql: Sql, owner: OwnerId, filter: ContactFilter) => sql`
	c.account_id = ${owner}
	${filter.groupId === null ? sql`` : sql`and c.group_id = ${filter.groupId}`}
	${
		filter.search === ''
			? sql``
			: sql`and (
				concat_ws(' ', c.first_name, c.last_name) ilike ${containing(filter.search)}
				${filter.numberPart === null ? sql`` : sql`or c.number like ${containing(filter.numberPart)}`}
			)`
	}
`

/** Newest first. The page is picked by the index alone; only its few rows are then joined with their groups. */
export async function listContacts(sql: Sql, owner: OwnerId, wanted: PageQuery & ContactFilter): Promise<Contact[]> {
	return sql<Contact[]>`
		select ${columns(sql)}
		from (
			select c.id from contacts c
			where ${matching(sql, owner, wanted)}
			order by c.id desc
			limit ${wanted.limit} offset ${offsetOf(wanted)}
		) page
		join contacts c on c.account_id = ${owner} and c.id = page.id
		left join contact_groups g on g.account_id = ${owner} and g.id = c.group_id
		order by c.id desc
	`
}

export async function countContacts(sql: Sql, owner: OwnerId, filter: ContactFilter): Promise<number> {
	const [row] = await sql<{ total: number }[]>`
		select count(*) as total from contacts c where ${matching(sql, owner, filter)}
	`
	return row?.total ?? 0
}

export async function insertContact(sql: Sql, owner: OwnerId, contact: NewContact): Promise<Contact> {
	const [row] = await sql<Contact[]>`
		with c as (
			insert into contacts (account_id, first_name, last_name, number, group_id)
			values (${owner}, ${contact.firstName}, ${contact.lastName}, ${contact.number}, ${contact.groupId})
			returning *
		)
		select ${columns(sql)}
		from c
		left join contact_groups g on g.account_id = ${owner} and g.id = c.group_id
	`
	if (!row) throw new Error('the new contact did not come back')
	return row
}

/** All in one statement; numbers that the account has, or that come twice, are left out. Returns how many were added. */
export async function insertContacts(sql: Sql, owner: OwnerId, contacts: NewContact[]): Promise<number> {
	const result = await sql`
		insert into contacts (account_id, first_name, last_name, number, group_id)
		select ${owner}, row.*
		from unnest(
			${contacts.map((contact) => contact.firstName)}::text[], ${contacts.map((contact) => contact.lastName)}::text[],
			${contacts.map((contact) => contact.number)}::text[], ${contacts.map((contact) => contact.groupId)}::bigint[]
		) as row (first_name, last_name, number, group_id)
		on conflict (account_id, number) do nothing
	`
	return result.count
}

/** Notes that these numbers want no more marketing, unless they had said so before. */
export async function updateOptedOut(
	sql: Sql,
	owner: OwnerId,
	{ numbers, because }: { numbers: string[]; because: string },
): Promise<void> {
	await sql`
		update contacts set opted_out_at = now(), opted_out_because = ${because}
		where account_id = ${owner} and number = any(${numbers}::text[]) and opted_out_at is null
	`
}
