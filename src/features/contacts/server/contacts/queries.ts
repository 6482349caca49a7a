import type { OptOutReason } from '#features/contacts/contract.ts'
import type { Consent } from '#features/contacts/contract.ts'
import type { ContactSort } from '#features/contacts/list-contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { searchText } from '#lib/server/db/search/search-text.ts'
import { verbatim } from '#lib/server/statement.ts'
import { updateCachedCounts } from '../count-queries.ts'
import { listErased } from '../erasure/erased.ts'
import { joinValues } from '../fields/field-queries.ts'
import { valueColumns } from '../fields/value-queries.ts'

export interface Contact {
	id: number
	firstName: string
	lastName: string | null
	/** Phone number in canonical form. */
	number: string
	groupId: number | null
	groupName: string | null
	isOptedOut: boolean
	optedOutAt: Date | null
	optedOutBecause: OptOutReason | null
	consent: Consent | null
	createdAt: Date
	/** Tag names. */
	tags: string[]
	/** Values by field name; fields without a value are left out. */
	fields: Record<string, string>
}

export interface NewContact extends Pick<Contact, 'firstName' | 'lastName' | 'number' | 'groupId'> {
	/** Null for no consent. Left out, an update keeps the stored consent. */
	consentId?: number | null | undefined
}

/**
 * Returns the select list and joins for the rows of a contact list; the caller adds a `where` on `c`. A deleted group
 * reads as null.
 */
export const selectContacts = (sql: Sql, accountId: AccountId) => sql`
	select c.id, c.first_name as "firstName", c.last_name as "lastName", c.number, g.id as "groupId",
		g.name as "groupName", c.opted_out_at is not null as "isOptedOut",
		c.opted_out_at as "optedOutAt", c.opted_out_because as "optedOutBecause", c.created_at as "createdAt",
		case when k.id is not null
			then jsonb_build_object('source', k.source, 'words', k.words, 'agreedOn', k.agreed_on) end as consent,
		${valueColumns(sql, accountId)}
	from contacts c
	left join contact_groups g on g.account_id = ${accountId} and g.id = c.group_id and g.deleted_at is null
	left join consents k on k.account_id = ${accountId} and k.id = c.consent_id
	${joinValues(sql, accountId)}
`

export interface ContactOrder {
	sort: ContactSort
	order: 'asc' | 'desc'
}

/** Sort by code point: alphabetical within each script, and equal in every database. */
const BY_NAME = `lower(c.first_name || ' ' || coalesce(c.last_name, '')) collate "C"`

const orderBy = (columns: string[], way: 'asc' | 'desc') =>
	verbatim(`order by ${columns.map((column) => `${column} ${way}`).join(', ')}`)

const bothWays = (columns: string[]) => ({ asc: orderBy(columns, 'asc'), desc: orderBy(columns, 'desc') })

/**
 * Order by clauses, each backed by an index of contacts. `addedToGroup` names both columns of its index; otherwise the
 * planner does not use the index.
 */
export const ORDERS = {
	added: bothWays(['c.id']),
	addedToGroup: bothWays(['c.group_id', 'c.id']),
	name: bothWays([BY_NAME, 'c.id']),
	number: bothWays(['c.number']),
}

const inGroup = (sql: Sql, groupId: number | null) => (groupId === null ? sql`` : sql`and c.group_id = ${groupId}`)

/**
 * Returns a page of contacts. An inner query picks the page from an index only, and the joins read just its rows.
 * `total` is the cached count: a page in the second half is read from the end, because an index must be walked up to
 * the page. Within a group, only the order of adding has an index.
 */
export async function listContacts(
	sql: Sql,
	accountId: AccountId,
	wanted: PageQuery & ContactOrder & { groupId: number | null; total: number },
): Promise<Contact[]> {
	const offset = offsetOf(wanted)
	const rows = Math.min(wanted.limit, wanted.total - offset)
	const fromEnd = offset > wanted.total / 2
	const start = fromEnd ? wanted.total - offset - rows : offset
	const opposite = wanted.order === 'asc' ? 'desc' : 'asc'
	const by = wanted.groupId === null ? wanted.sort : 'addedToGroup'
	return sql<Contact[]>`
		with page as materialized (
			select c.id from contacts c
			where c.account_id = ${accountId} ${inGroup(sql, wanted.groupId)}
			${ORDERS[by][fromEnd ? opposite : wanted.order]}
			limit ${Math.max(0, rows)} offset ${Math.max(0, start)}
		)
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id = any(array(select id from page))
		${ORDERS[wanted.sort][wanted.order]}
	`
}

export async function listLatest(sql: Sql, accountId: AccountId, limit: number): Promise<Contact[]> {
	return listContacts(sql, accountId, { page: 1, limit, groupId: null, total: limit, sort: 'added', order: 'desc' })
}

export async function findContact(sql: Sql, accountId: AccountId, id: number): Promise<Contact | undefined> {
	const [row] = await sql<Contact[]>`
		${selectContacts(sql, accountId)} where c.account_id = ${accountId} and c.id = ${id}
	`
	return row
}

/**
 * Inserts contacts in one statement, skips numbers that exist or repeat, and copies existing opt-outs, including
 * opt-outs stored for erased numbers. Returns the number of inserted contacts.
 */
export async function insertContacts(sql: Sql, accountId: AccountId, contacts: NewContact[]): Promise<number> {
	const numbers = contacts.map(({ number }) => number)
	const erased = await listErased(sql, accountId, numbers)
	const [row] = await sql<{ added: number }[]>`
		with added as (
			insert into contacts (
				account_id, first_name, last_name, number, group_id, consent_id, search_text, opted_out_at, opted_out_because
			)
			select ${accountId}, row.first_name, row.last_name, row.number, row.group_id, row.consent_id, row.search_text,
				o.changed_at, o.because
			from unnest(
				${contacts.map((contact) => contact.firstName)}::text[], ${contacts.map((contact) => contact.lastName)}::text[],
				${numbers}::text[], ${numbers.map((number) => erased.get(number) ?? number)}::text[],
				${contacts.map((contact) => contact.groupId)}::bigint[],
				${contacts.map((contact) => contact.consentId ?? null)}::bigint[],
				${contacts.map((contact) => searchText(contact.firstName, contact.lastName, contact.number))}::text[]
			) with ordinality as row (first_name, last_name, number, known_as, group_id, consent_id, search_text, position)
			left join opt_outs o on o.account_id = ${accountId} and o.number = row.known_as and o.is_opted_out
			order by row.position
			on conflict (account_id, number) do nothing
			returning group_id
		), changes as (
			select group_id, count(*) as change from added group by group_id
		), counted as (${updateCachedCounts(sql, accountId)})
		select coalesce(sum(change), 0)::bigint as added from changes
	`
	return row?.added ?? 0
}

/**
 * Opts out numbers that come from the contacts of the phone app, before they become contacts: their people have agreed to
 * nothing. Any statement of a person counts as later, and an earlier one remains.
 */
export async function insertUnasked(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<void> {
	await sql`
		insert into opt_outs (account_id, number, is_opted_out, because, changed_at, said_at)
		select ${accountId}::bigint, n.number, true, 'phone_app', now(), to_timestamp(0)
		from (select unnest(${numbers}::text[]) as number order by 1) n
		on conflict (account_id, number) do nothing
	`
}

/** Returns the contacts with these numbers that the phone app added and the account has not used since. */
export async function listUnusedAppContacts(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<number[]> {
	const rows = await sql<{ id: number }[]>`
		select id from contacts
		where account_id = ${accountId} and number = any(${numbers}::text[]) and opted_out_because = 'phone_app'
			and group_id is null and consent_id is null
	`
	return rows.map(({ id }) => id)
}

/** Inserts a contact and returns its id; null when the number is a contact already. */
export async function insertContact(sql: Sql, accountId: AccountId, contact: NewContact): Promise<number | null> {
	if ((await insertContacts(sql, accountId, [contact])) === 0) return null
	const [row] = await sql<{ id: number }[]>`
		select id from contacts where account_id = ${accountId} and number = ${contact.number}
	`
	return row?.id ?? null
}

/** Returns the numbers that are contacts of the account; nulls are ignored. */
export async function listKnownNumbers(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly (string | null)[],
): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select c.number from contacts c where c.account_id = ${accountId} and c.number = any(${numbers}::text[])
	`
	return rows.map(({ number }) => number)
}
