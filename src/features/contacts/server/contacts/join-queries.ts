import type { AccountId, Sql } from '#lib/server/db.ts'
import { violates } from '#lib/server/db/constraint-violations.ts'
import { searchText } from '#lib/server/db/search/search-text.ts'
import { listErased } from '../erasure/erased.ts'

export interface JoinedContact {
	id: number
	firstName: string
	lastName: string | null
	number: string
	groupId: number | null
	consentId: number | null
	createdAt: Date
}

/** Returns and locks the contacts with these numbers, in the order of their ids. */
export async function lockContacts(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<JoinedContact[]> {
	return sql<JoinedContact[]>`
		select c.id, c.first_name as "firstName", c.last_name as "lastName", c.number, c.group_id as "groupId",
			c.consent_id as "consentId", c.created_at as "createdAt"
		from contacts c
		where c.account_id = ${accountId} and c.number = any(${numbers}::text[])
		order by c.id for update
	`
}

/**
 * Changes the number of a contact and copies the opt-out of the new number to the contact. Returns false, and changes nothing,
 * when a concurrent transaction has added a contact with this number.
 */
export async function renumberContact(sql: Sql, accountId: AccountId, contact: RenumberedContact): Promise<boolean> {
	await sql`savepoint renumber`
	try {
		await updateNumber(sql, accountId, contact)
		return true
	} catch (error) {
		if (!violates(error, 'contacts_account_id_number_key')) throw error
		await sql`rollback to savepoint renumber`
		return false
	}
}

type RenumberedContact = Pick<JoinedContact, 'id' | 'firstName' | 'lastName' | 'number'>

async function updateNumber(
	sql: Sql,
	accountId: AccountId,
	{ id, firstName, lastName, number }: RenumberedContact,
): Promise<void> {
	const knownAs = (await listErased(sql, accountId, [number])).get(number) ?? number
	await sql`
		update contacts c
		set number = ${number}, search_text = ${searchText(firstName, lastName, number)},
			opted_out_at = (
				select o.changed_at from opt_outs o where o.account_id = ${accountId} and o.number = ${knownAs} and o.is_opted_out
			),
			opted_out_because = (
				select o.because from opt_outs o where o.account_id = ${accountId} and o.number = ${knownAs} and o.is_opted_out
			)
		where c.account_id = ${accountId} and c.id = ${id}
	`
}

/**
 * Adds the tags and values of contact `from` to contact `into`. Values of `into` win; at most `maxTags` tags are
 * stored.
 */
export async function joinValues(
	sql: Sql,
	accountId: AccountId,
	{ from, into, maxTags }: { from: number; into: number; maxTags: number },
): Promise<void> {
	await sql`
		insert into contact_values as v (account_id, contact_id, tags, texts, numbers)
		select f.account_id, ${into}::bigint, f.tags, f.texts, f.numbers
		from contact_values f where f.account_id = ${accountId} and f.contact_id = ${from}
		on conflict (account_id, contact_id) do update set
			tags = array(
				select tag from unnest(v.tags || excluded.tags) with ordinality as t (tag, place)
				group by tag order by min(place) limit ${maxTags}
			),
			texts = array(
				select coalesce(t.own, t.other)
				from unnest(v.texts, excluded.texts) with ordinality as t (own, other, place) order by t.place
			),
			numbers = array(
				select coalesce(t.own, t.other)
				from unnest(v.numbers, excluded.numbers) with ordinality as t (own, other, place) order by t.place
			)
	`
}

/** Writes a joined contact's names and consent. */
export async function fillContact(
	sql: Sql,
	accountId: AccountId,
	{ id, firstName, lastName, number, consentId }: Omit<JoinedContact, 'createdAt'>,
): Promise<void> {
	await sql`
		update contacts c
		set first_name = ${firstName}, last_name = ${lastName}, consent_id = ${consentId},
			search_text = ${searchText(firstName, lastName, number)}
		where c.account_id = ${accountId} and c.id = ${id}
	`
}

/**
 * Moves the opt-out history of a number to another number. Deletes the old number's opt-out, and its WhatsApp id if
 * that is the new number.
 */
export async function moveOptOutHistory(
	sql: Sql,
	accountId: AccountId,
	{ from, into }: { from: string; into: string },
): Promise<void> {
	await sql`update opt_out_changes set number = ${into} where account_id = ${accountId} and number = ${from}`
	await sql`delete from opt_outs where account_id = ${accountId} and number = ${from}`
	await sql`delete from whatsapp_ids where account_id = ${accountId} and number = ${from} and wa_id = ${into}`
}

/**
 * Lists contacts with ids above `after` whose numbers the current reader may read differently: all except Indian mobile
 * numbers.
 */
export async function listForeignContacts(
	sql: Sql,
	accountId: AccountId,
	{ after, limit }: { after: number; limit: number },
): Promise<{ id: number; number: string }[]> {
	return sql<{ id: number; number: string }[]>`
		select c.id, c.number from contacts c
		where c.account_id = ${accountId} and c.id > ${after} and c.number ~ '^[0-9]+$' and c.number !~ '^91[6-9][0-9]{9}$'
		order by c.id limit ${limit}
	`
}

/** Lists numbers after `after` that have an opt-out row, without Indian mobile numbers. */
export async function listForeignOptOuts(
	sql: Sql,
	accountId: AccountId,
	{ after, limit }: { after: string; limit: number },
): Promise<string[]> {
	const rows = await sql<{ number: string }[]>`
		select o.number from opt_outs o
		where o.account_id = ${accountId} and o.number > ${after} and o.number ~ '^[0-9]+$'
			and o.number !~ '^91[6-9][0-9]{9}$'
		order by o.number limit ${limit}
	`
	return rows.map(({ number }) => number)
}

/** Returns the first account id after `after`; undefined after the last account. */
export async function findNextAccountAllAccounts(sql: Sql, after: number): Promise<AccountId | undefined> {
	const [row] = await sql<{ id: AccountId }[]>`select id from accounts where id > ${after} order by id limit 1`
	return row?.id
}
