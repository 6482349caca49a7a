import type { OptOutReason } from '#features/contacts/contract.ts'
import type { Consent } from '#features/contacts/form-fields.ts'
import type { ContactSort } from '#features/contacts/list-contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { offsetOf, type PageQuery } from '#lib/server/db/paging.ts'
import { verbatim } from '#lib/server/statement.ts'
import { updateCachedCounts } from '../count-queries.ts'
import { listErased } from '../erasure/erased.ts'
import { hasTag, joinValues, ownColumns } from '../fields/value-queries.ts'
import { searchText } from './search-text.ts'

export interface Contact {
	id: number
	firstName: string
	lastName: string | null
	/** In the canonical form. */
	number: string
	groupId: number | null
	groupName: string | null
	isOptedOut: boolean
	optedOutAt: Date | null
	optedOutBecause: OptOutReason | null
	consent: Consent | null
	createdAt: Date
	/** Their names. */
	tags: string[]
	/** By the names of the account's fields, those that it has a value for. */
	fields: Record<string, string>
}

export interface NewContact extends Pick<Contact, 'firstName' | 'lastName' | 'number' | 'groupId'> {
	/** Left out, a changed contact keeps its own. */
	consentId?: number | null | undefined
}

/** What a contact's row shows, of contacts that a `where` on `c` picks. A deleted group is none. */
export const selectContacts = (sql: Sql, accountId: AccountId) => sql`
	select c.id, c.first_name as "firstName", c.last_name as "lastName", c.number, g.id as "groupId",
		g.name as "groupName", c.opted_out_at is not null as "isOptedOut",
		c.opted_out_at as "optedOutAt", c.opted_out_because as "optedOutBecause", c.created_at as "createdAt",
		case when k.id is not null
			then jsonb_build_object('source', k.source, 'words', k.words, 'agreedOn', k.agreed_on) end as consent,
		${ownColumns(sql, accountId)}
	from contacts c
	left join contact_groups g on g.account_id = ${accountId} and g.id = c.group_id and g.deleted_at is null
	left join consents k on k.account_id = ${accountId} and k.id = c.consent_id
	${joinValues(sql, accountId)}
`

export interface ContactOrder {
	sort: ContactSort
	order: 'asc' | 'desc'
}

/** By code point, which is alphabetical within each script, and the same in every database. */
const BY_NAME = `lower(c.first_name || ' ' || coalesce(c.last_name, '')) collate "C"`

const orderBy = (columns: string[], way: 'asc' | 'desc') =>
	verbatim(`order by ${columns.map((column) => `${column} ${way}`).join(', ')}`)

const bothWays = (columns: string[]) => ({ asc: orderBy(columns, 'asc'), desc: orderBy(columns, 'desc') })

/** Each as an index of contacts has it. Within a group, by both columns of its index, which otherwise would not be seen to. */
export const ORDERS = {
	added: bothWays(['c.id']),
	addedToGroup: bothWays(['c.group_id', 'c.id']),
	name: bothWays([BY_NAME, 'c.id']),
	number: bothWays(['c.number']),
}

const inGroup = (sql: Sql, groupId: number | null) => (groupId === null ? sql`` : sql`and c.group_id = ${groupId}`)

/**
 * The page is picked by an index alone; only its few rows are then joined with their groups. `total` is the cached count:
 * a page past the middle is reached from the other end, as the index has to be walked up to it. Within a group, an index
 * has the order of adding alone.
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

/** Those that were added after this one, the first of them first. */
export async function listAfter(
	sql: Sql,
	accountId: AccountId,
	{ after, groupId, tagId, limit }: { after: number; groupId: number | null; tagId: number | null; limit: number },
): Promise<Contact[]> {
	return sql<Contact[]>`
		${selectContacts(sql, accountId)}
		where c.account_id = ${accountId} and c.id > ${after} ${inGroup(sql, groupId)}
			${tagId === null ? sql`` : sql`and ${hasTag(sql, accountId, tagId)}`}
		${ORDERS[groupId === null ? 'added' : 'addedToGroup'].asc}
		limit ${limit}
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
 * All in one statement; numbers that the account has, or that come twice, are left out. A number that had opted out still
 * has, also one that was erased since. Returns how many were added.
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

/** Returns the new contact's id, or null when the account has the number. */
export async function insertContact(sql: Sql, accountId: AccountId, contact: NewContact): Promise<number | null> {
	if ((await insertContacts(sql, accountId, [contact])) === 0) return null
	const [row] = await sql<{ id: number }[]>`
		select id from contacts where account_id = ${accountId} and number = ${contact.number}
	`
	return row?.id ?? null
}
