import { type KnownValue, numberOfValue, readFieldValue } from '#features/contacts/custom-fields.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { containing } from '#lib/server/db/search/like-pattern.ts'
import { DAY_ZERO, joinValues, type Field } from './field-queries.ts'

/** Returns the select columns `tags` and `fields` of contacts, aliased `c`, whose row of values is joined as `v`. */
export const valueColumns = (sql: Sql, accountId: AccountId) => sql`
	array(
		select t.name from contact_tags t where t.account_id = ${accountId} and t.id = any(v.tags) order by lower(t.name)
	) as tags,
	coalesce((
		select jsonb_object_agg(f.name, s.value)
		from contact_fields f
		cross join lateral (
			select case f.type
				when 'text' then v.texts[f.slot]
				when 'number' then v.numbers[f.slot]::numeric::text
				when 'date' then (${DAY_ZERO} + v.numbers[f.slot]::int)::text
				else case v.numbers[f.slot] when 1 then 'yes' when 0 then 'no' end
			end as value
		) s
		where f.account_id = ${accountId} and f.deleted_at is null and s.value is not null
	), '{}') as fields
`

/** Returns the condition that a contact, aliased `c`, has a tag. */
export const hasTag = (sql: Sql, accountId: AccountId, tagId: number) => sql`
	exists (
		select from contact_values v
		where v.account_id = ${accountId} and v.contact_id = c.id and v.tags @> array[${tagId}::bigint]
	)
`

/**
 * Returns the condition that a contact, aliased `c`, has a value in a field. A text matches when it contains `value`; a
 * number, date or answer when it equals `value`; any value when `value` is empty.
 */
export const hasValue = (
	sql: Sql,
	accountId: AccountId,
	{ field: { type, slot }, value }: { field: Field; value: string },
) => {
	const stored = type === 'text' ? sql`v.texts[${slot}::int]` : sql`v.numbers[${slot}::int]`
	const fits = () => {
		if (value === '') return sql`${stored} is not null`
		if (type === 'text') return sql`lower(${stored}) like lower(${containing(value)})`
		const read = readFieldValue(type, value)
		return read === null ? sql`false` : sql`${stored} = ${numberOfValue(type, read)}::double precision`
	}
	return sql`
		exists (select from contact_values v where v.account_id = ${accountId} and v.contact_id = c.id and ${fits()})
	`
}

/**
 * Returns the commonest values of a field among the newest `sampled` rows of values, which the primary key finds. Spellings
 * that differ in case are one value, in the commonest spelling. `isSample` is true when the account has more rows.
 */
export async function listKnownValues(
	sql: Sql,
	accountId: AccountId,
	{ field: { type, slot }, sampled, limit }: { field: Field; sampled: number; limit: number },
): Promise<{ values: KnownValue[]; isSample: boolean }> {
	const stored = {
		text: sql`v.texts[${slot}::int]`,
		number: sql`v.numbers[${slot}::int]::numeric::text`,
		date: sql`(${DAY_ZERO} + v.numbers[${slot}::int]::int)::text`,
		yesno: sql`case v.numbers[${slot}::int] when 1 then 'yes' when 0 then 'no' end`,
	}[type]
	const [row] = await sql<{ values: KnownValue[]; isSample: boolean }[]>`
		with newest as materialized (
			select ${stored} as value from (
				select texts, numbers from contact_values where account_id = ${accountId}
				order by contact_id desc limit ${sampled}
			) v
		), counted as (
			select mode() within group (order by value) as value, count(*) as contacts from newest
			where value is not null group by lower(value)
			order by contacts desc, value limit ${limit}
		)
		select (
				select count(*) from (select from contact_values where account_id = ${accountId} limit ${sampled + 1}) n
			) > ${sampled} as "isSample",
			coalesce((select jsonb_agg(jsonb_build_object('value', value, 'contacts', contacts)) from counted), '[]') as values
	`
	return row ?? { values: [], isSample: false }
}

/** Values of a contact as stored: tag ids, and values by field slot, here from index 0. */
export interface StoredValues {
	tags: number[]
	texts: (string | null)[]
	numbers: (number | null)[]
}

/**
 * Returns the contacts with these numbers and their values, and locks the contacts until the transaction ends. `isNew`
 * marks contacts that this transaction inserted.
 */
export async function lockValues(
	sql: Sql,
	accountId: AccountId,
	numbers: readonly string[],
): Promise<(StoredValues & { contactId: number; number: string; isNew: boolean })[]> {
	// With Citus, the node that stores the contacts begins its transaction slightly later, so the time is read once and
	// compared.
	const [begun] = await sql<{ at: string }[]>`select now()::text as at`
	return sql<(StoredValues & { contactId: number; number: string; isNew: boolean })[]>`
		select c.id as "contactId", c.number, c.created_at = ${begun?.at}::timestamptz as "isNew", coalesce(to_jsonb(v.tags), '[]') as tags,
			coalesce(to_jsonb(v.texts), '[]') as texts, coalesce(to_jsonb(v.numbers), '[]') as numbers
		from contacts c ${joinValues(sql, accountId)}
		where c.account_id = ${accountId} and c.number = any(${numbers}::text[])
		order by c.id for update of c
	`
}

/** Writes values of contacts that the transaction has locked. */
export async function upsertValues(
	sql: Sql,
	accountId: AccountId,
	rows: readonly (StoredValues & { contactId: number })[],
): Promise<void> {
	const given = rows.map(({ contactId, ...values }) => ({ contact_id: contactId, ...values }))
	await sql`
		insert into contact_values as v (account_id, contact_id, tags, texts, numbers)
		select ${accountId}::bigint, n.contact_id, n.tags, n.texts, n.numbers
		from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
			as n (contact_id bigint, tags bigint[], texts text[], numbers double precision[])
		order by n.contact_id
		on conflict (account_id, contact_id) do update
		set tags = excluded.tags, texts = excluded.texts, numbers = excluded.numbers
	`
}

interface Tagging {
	ids: number[]
	tagId: number
}

/**
 * Adds a tag to contacts that lack it and have fewer than `max` tags. Returns the number of tagged contacts, and of
 * contacts that were full.
 */
export async function addTag(
	sql: Sql,
	accountId: AccountId,
	{ ids, tagId, max }: Tagging & { max: number },
): Promise<{ tagged: number; full: number }> {
	const contacts = await sql<{ id: number; tags: number[] }[]>`
		select c.id, coalesce((
			select jsonb_agg(t.id) from contact_tags t where t.account_id = ${accountId} and t.id = any(v.tags)
		), '[]') as tags
		from contacts c ${joinValues(sql, accountId)}
		where c.account_id = ${accountId} and c.id = any(${ids}::bigint[])
		order by c.id for update of c
	`
	const without = contacts.filter(({ tags }) => !tags.includes(tagId))
	const given = without.filter(({ tags }) => tags.length < max)
	if (given.length > 0) {
		const rows = given.map(({ id, tags }) => ({ contact_id: id, tags: [...tags, tagId] }))
		await sql`
			insert into contact_values as v (account_id, contact_id, tags)
			select ${accountId}::bigint, n.contact_id, n.tags
			from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (contact_id bigint, tags bigint[])
			order by n.contact_id
			on conflict (account_id, contact_id) do update set tags = excluded.tags
		`
	}
	return { tagged: given.length, full: without.length - given.length }
}

/** Removes a tag from contacts. Returns the number of changed contacts. */
export async function removeTag(sql: Sql, accountId: AccountId, { ids, tagId }: Tagging): Promise<number> {
	const { count } = await sql`
		update contact_values v set tags = array_remove(v.tags, ${tagId}::bigint)
		where v.account_id = ${accountId} and v.contact_id = any(${ids}::bigint[]) and v.tags @> array[${tagId}::bigint]
	`
	return count
}

/** Clears a field's value in the next `limit` contacts. Returns the last contact id, or null at the end. */
export async function clearField(
	sql: Sql,
	accountId: AccountId,
	{ field, after, limit }: { field: Field; after: number; limit: number },
): Promise<number | null> {
	const cleared =
		field.type === 'text'
			? sql`set texts[${field.slot}::int] = null from page where v.texts[${field.slot}::int] is not null`
			: sql`set numbers[${field.slot}::int] = null from page where v.numbers[${field.slot}::int] is not null`
	const [row] = await sql<{ last: number | null }[]>`
		with page as materialized (
			select contact_id from contact_values
			where account_id = ${accountId} and contact_id > ${after}
			order by contact_id
			limit ${limit}
		), cleared as (
			update contact_values v ${cleared} and v.account_id = ${accountId} and v.contact_id = page.contact_id
		)
		select max(contact_id) as last from page
	`
	return row?.last ?? null
}
