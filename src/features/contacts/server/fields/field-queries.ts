import { FIRST_DAY, type FieldType } from '#features/contacts/custom-fields.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { verbatim } from '#lib/server/statement.ts'

/** SQL expression of day 0 of stored dates. */
export const DAY_ZERO = verbatim(`date '${FIRST_DAY}'`)

/**
 * Returns the SQL join of the values of contacts, aliased `c`. With `isNeeded`, contacts without tags and values are
 * dropped.
 */
export const joinValues = (sql: Sql, accountId: AccountId, { isNeeded = false } = {}) => sql`
	${isNeeded ? sql`` : sql`left`} join contact_values v on v.account_id = ${accountId} and v.contact_id = c.id
`

/** Custom field of an account. */
export interface Field {
	id: number
	name: string
	type: FieldType
	/** Index of the field's value, from 1: in `texts` of a text field, in `numbers` of any other type. */
	slot: number
}

/** Tags and field values given for one contact. */
export interface GivenValues {
	/** An absent list keeps the tags of the contact. */
	tags?: readonly string[] | undefined
	/**
	 * Values in the form that `readFieldValue` returns; an empty one deletes the value. Fields that are not listed keep
	 * their values.
	 */
	values: readonly (readonly [Field, string])[]
}

export interface Tag {
	id: number
	name: string
}

/**
 * Lists the fields in order of creation. With `isLocked`, no listed field can be deleted before the transaction ends.
 */
export async function listFields(sql: Sql, accountId: AccountId, { isLocked = false } = {}): Promise<Field[]> {
	return sql<Field[]>`
		select id, name, type, slot from contact_fields where account_id = ${accountId} and deleted_at is null order by id
		${isLocked ? sql`for share` : sql``}
	`
}

/**
 * Inserts a field in the first free slot. Returns null when no slot is free, or when a concurrent field took the name
 * or the slot.
 */
export async function insertField(
	sql: Sql,
	accountId: AccountId,
	{ name, type, slots }: Pick<Field, 'name' | 'type'> & { slots: number },
): Promise<Field | null> {
	const [row] = await sql<Field[]>`
		insert into contact_fields (account_id, name, type, slot)
		select ${accountId}::bigint, ${name}, ${type}, n.slot
		from generate_series(1, ${slots}::int) as n (slot)
		where n.slot not in (
			select slot from contact_fields where account_id = ${accountId} and (type = 'text') = (${type} = 'text')
		)
		order by n.slot
		limit 1
		on conflict do nothing
		returning id, name, type, slot
	`
	return row ?? null
}

export async function renameField(
	sql: Sql,
	accountId: AccountId,
	{ id, name }: { id: string; name: string },
): Promise<Field | undefined> {
	const [row] = await sql<Field[]>`
		update contact_fields set name = ${name}
		where account_id = ${accountId} and id = ${id} and deleted_at is null
		returning id, name, type, slot
	`
	return row
}

/** Marks a field deleted; its values remain until they are cleared. Returns false when the field does not exist. */
export async function markFieldDeleted(sql: Sql, accountId: AccountId, id: string): Promise<boolean> {
	const { count } = await sql`
		update contact_fields set deleted_at = now() where account_id = ${accountId} and id = ${id} and deleted_at is null
	`
	return count > 0
}

/** Lists deleted fields of which contacts may still have values. */
export async function listDeletedFields(sql: Sql, accountId: AccountId): Promise<Field[]> {
	return sql<Field[]>`
		select id, name, type, slot from contact_fields where account_id = ${accountId} and deleted_at is not null
	`
}

export async function deleteField(sql: Sql, accountId: AccountId, id: number): Promise<void> {
	await sql`delete from contact_fields where account_id = ${accountId} and id = ${id} and deleted_at is not null`
}

/** Lists the tags by name. */
export async function listTags(sql: Sql, accountId: AccountId): Promise<Tag[]> {
	return sql<Tag[]>`select id, name from contact_tags where account_id = ${accountId} order by lower(name)`
}

export async function findTag(sql: Sql, accountId: AccountId, id: string): Promise<Tag | undefined> {
	const [row] = await sql<Tag[]>`select id, name from contact_tags where account_id = ${accountId} and id = ${id}`
	return row
}

/** Inserts the tags that the account does not have. */
export async function insertTags(sql: Sql, accountId: AccountId, names: readonly string[]): Promise<void> {
	await sql`
		insert into contact_tags (account_id, name)
		select ${accountId}::bigint, n.name from unnest(${names.toSorted()}::text[]) as n (name)
		on conflict do nothing
	`
}

/** Returns the ids of existing tags with these names, compared without case, by name in lower case. */
export async function listTagIds(
	sql: Sql,
	accountId: AccountId,
	names: readonly string[],
): Promise<Map<string, number>> {
	const tags = await sql<Tag[]>`
		select t.id, n.name from unnest(${names}::text[]) as n (name)
		join contact_tags t on t.account_id = ${accountId} and lower(t.name) = lower(n.name)
	`
	return new Map(tags.map(({ id, name }) => [name.toLowerCase(), id]))
}

export async function renameTag(
	sql: Sql,
	accountId: AccountId,
	{ id, name }: { id: string; name: string },
): Promise<Tag | undefined> {
	const [row] = await sql<Tag[]>`
		update contact_tags set name = ${name} where account_id = ${accountId} and id = ${id} returning id, name
	`
	return row
}

/** Deletes a tag, whose id contacts keep and lists ignore. Returns false when the tag does not exist. */
export async function deleteTag(sql: Sql, accountId: AccountId, id: string): Promise<boolean> {
	const { count } = await sql`delete from contact_tags where account_id = ${accountId} and id = ${id}`
	return count > 0
}
