import { isSameName, MAX_FIELDS, MAX_TAGS } from '#features/contacts/custom-fields.ts'
import { problem } from '#features/contacts/problems.ts'
import { cleanName } from '#features/contacts/rules.ts'
import { AppError } from '#lib/app-error.ts'
import { plural } from '#lib/numbers.ts'
import { notFound, tooMany } from '#lib/problems.ts'
import { transaction, type Db, type AccountId, type Sql } from '#lib/server/db.ts'
import { violates } from '#lib/server/db/constraint-violations.ts'
import { lockCounts } from '../count-queries.ts'
import * as queries from './field-queries.ts'
import type { Field, Tag } from './field-queries.ts'
import { clearField } from './value-queries.ts'

/** Slots per kind of value: for existing fields and for deleted fields whose values are not cleared yet. */
const MAX_SLOTS = 2 * MAX_FIELDS

export function createField(db: Db, accountId: AccountId, field: Pick<Field, 'name' | 'type'>): Promise<Field> {
	const name = cleanName(field.name)
	return transaction(db, async (sql) => {
		// Serializes the account's changes of fields, so that each counts the fields and slots of the earlier ones.
		await lockCounts(sql, accountId)
		const fields = await queries.listFields(sql, accountId)
		if (fields.some((one) => isSameName(one.name, name))) throw fieldTaken()
		if (fields.length >= MAX_FIELDS) throw tooMany(plural(MAX_FIELDS, 'field'))
		const created = await queries.insertField(sql, accountId, { ...field, name, slots: MAX_SLOTS })
		if (!created) throw problem('field_places_taken')
		return created
	})
}

export async function renameField(
	sql: Sql,
	accountId: AccountId,
	{ id, name }: { id: string; name: string },
): Promise<Field> {
	const renamed = await queries.renameField(sql, accountId, { id, name: cleanName(name) }).catch((error: unknown) => {
		throw violates(error, 'contact_fields_name') ? fieldTaken() : error
	})
	if (!renamed) throw notFound('Field')
	return renamed
}

/** Contacts cleared per transaction. */
const BATCH_SIZE = 5000

/**
 * Deletes a field, then clears its values and the values of earlier deletions that were interrupted. Throws a 404 for
 * an unknown field.
 */
export async function removeField(db: Db, accountId: AccountId, id: string): Promise<void> {
	if (!(await queries.markFieldDeleted(db, accountId, id))) throw notFound('Field')
	for (const field of await queries.listDeletedFields(db, accountId)) {
		for (let after: number | null = 0; after !== null;)
			after = await clearField(db, accountId, { field, after, limit: BATCH_SIZE })
		await queries.deleteField(db, accountId, field.id)
	}
}

/**
 * Returns tag ids by name in lower case, creating missing tags. When the account's limit is exceeded, throws a 409, or
 * with `isLenient` leaves the excess tags out.
 */
export async function ensureTags(
	sql: Sql,
	accountId: AccountId,
	{ names, isLenient = false }: { names: readonly string[]; isLenient?: boolean },
): Promise<Map<string, number>> {
	// The first of two spellings wins.
	const wanted = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]))
	if (wanted.size === 0) return new Map()
	if (wanted.size > MAX_TAGS && !isLenient) throw tooMany(plural(MAX_TAGS, 'tag'))
	const known = await queries.listTagIds(sql, accountId, [...wanted.values()])
	const missing = [...wanted].filter(([key]) => !known.has(key)).map(([, name]) => name)
	if (missing.length === 0) return known
	// Serializes the account's changes of tags, so that each counts the tags of the earlier ones.
	if (isLenient) await lockCounts(sql, accountId)
	const room = isLenient ? Math.max(0, MAX_TAGS - (await queries.listTags(sql, accountId)).length) : missing.length
	await queries.insertTags(sql, accountId, missing.toReversed().slice(0, room))
	if (!isLenient && (await queries.listTags(sql, accountId)).length > MAX_TAGS) throw tooMany(plural(MAX_TAGS, 'tag'))
	return queries.listTagIds(sql, accountId, [...wanted.values()])
}

export async function renameTag(
	sql: Sql,
	accountId: AccountId,
	{ id, name }: { id: string; name: string },
): Promise<Tag> {
	const renamed = await queries.renameTag(sql, accountId, { id, name: cleanName(name) }).catch((error: unknown) => {
		throw violates(error, 'contact_tags_name') ? problem('tag_taken') : error
	})
	if (!renamed) throw notFound('Tag')
	return renamed
}

export async function removeTag(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	if (!(await queries.deleteTag(sql, accountId, id))) throw notFound('Tag')
}

function fieldTaken(): AppError {
	return problem('field_taken')
}
