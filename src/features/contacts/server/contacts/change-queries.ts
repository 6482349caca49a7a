import type { OptOutReason } from '#features/contacts/contract.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { searchText } from '#lib/server/db/search/search-text.ts'
import type { Statement } from '#lib/server/statement.ts'
import { updateCachedCounts } from '../count-queries.ts'
import { listErased } from '../erasure/erased.ts'
import type { NewContact } from './queries.ts'

/** Updates a contact and the cached counts of its groups. Returns false when the contact does not exist. */
export async function updateContact(
	sql: Sql,
	accountId: AccountId,
	{ id, firstName, lastName, number, groupId, consentId }: NewContact & { id: number },
): Promise<boolean> {
	const knownAs = (await listErased(sql, accountId, [number])).get(number) ?? number
	const [row] = await sql<{ found: boolean }[]>`
		with before as (
			select c.id, c.group_id from contacts c where c.account_id = ${accountId} and c.id = ${id} for update
		), changed as (
			update contacts c
			set first_name = ${firstName}, last_name = ${lastName}, number = ${number}, group_id = ${groupId},
				consent_id = ${consentId === undefined ? sql`c.consent_id` : sql`${consentId}::bigint`},
				search_text = ${searchText(firstName, lastName, number)},
				opted_out_at = (
					select o.changed_at from opt_outs o where o.account_id = ${accountId} and o.number = ${knownAs} and o.is_opted_out
				),
				opted_out_because = (
					select o.because from opt_outs o where o.account_id = ${accountId} and o.number = ${knownAs} and o.is_opted_out
				)
			from before
			where c.account_id = ${accountId} and c.id = before.id
			returning c.group_id
		), changes as (
			select group_id, -1 as change from before union all select group_id, 1 from changed
		), counted as (${updateCachedCounts(sql, accountId)})
		select exists (select 1 from changed) as found
	`
	return row?.found ?? false
}

interface Move {
	/** Condition on contacts, aliased `c`. */
	which: Statement
	/** Target group; null removes the contacts from their groups. */
	groupId: number | null
}

async function move(sql: Sql, accountId: AccountId, { which, groupId }: Move): Promise<number> {
	const [row] = await sql<{ moved: number }[]>`
		with before as (
			select c.id, c.group_id from contacts c
			where c.account_id = ${accountId} and ${which}
			order by c.id for update
		), changed as (
			update contacts c set group_id = ${groupId}
			from before
			where c.account_id = ${accountId} and c.id = before.id
			returning c.group_id
		), changes as (
			select group_id, -1 as change from before union all select group_id, 1 from changed
		), counted as (${updateCachedCounts(sql, accountId)})
		select count(*) as moved from changed
	`
	return row?.moved ?? 0
}

/** Moves contacts to a group; null removes them from their groups. Returns the number of moved contacts. */
export function moveContacts(
	sql: Sql,
	accountId: AccountId,
	{ ids, groupId }: { ids: number[]; groupId: number | null },
): Promise<number> {
	return move(sql, accountId, { which: sql`c.id = any(${ids}::bigint[])`, groupId })
}

/** Moves the contacts with these numbers to a group. Contacts that are in the group already are not written. */
export async function moveNumbers(
	sql: Sql,
	accountId: AccountId,
	{ numbers, groupId }: { numbers: string[]; groupId: number },
): Promise<void> {
	const which = sql`c.number = any(${numbers}::text[]) and c.group_id is distinct from ${groupId}`
	await move(sql, accountId, { which, groupId })
}

/**
 * Deletes contacts with their tags and values, and updates the cached counts. Returns the number of deleted contacts.
 */
export async function deleteContacts(sql: Sql, accountId: AccountId, ids: number[]): Promise<number> {
	if (ids.length === 0) return 0
	const [row] = await sql<{ gone: number }[]>`
		with before as (
			select c.id from contacts c
			where c.account_id = ${accountId} and c.id = any(${ids}::bigint[])
			order by c.id for update
		), gone as (
			delete from contacts c using before
			where c.account_id = ${accountId} and c.id = before.id
			returning c.group_id
		), values_gone as (
			delete from contact_values v using before
			where v.account_id = ${accountId} and v.contact_id = before.id
		), changes as (
			select group_id, -1 as change from gone
		), counted as (${updateCachedCounts(sql, accountId)})
		select count(*) as gone from gone
	`
	return row?.gone ?? 0
}

export interface OptOutChange {
	optedOut: boolean
	because: OptOutReason
	changedAt: Date
}

/** Lists the latest 100 changes of a number's opt-out, the latest first. */
export async function listOptOutChanges(sql: Sql, accountId: AccountId, number: string): Promise<OptOutChange[]> {
	return sql<OptOutChange[]>`
		select is_opted_out as "optedOut", because, changed_at as "changedAt"
		from opt_out_changes
		where account_id = ${accountId} and number = ${number}
		order by id desc
		limit 100
	`
}
