import { cleanTags, MAX_TAGS_OF_CONTACT, numberOfValue, readValues } from '#features/contacts/custom-fields.ts'
import { problem } from '#features/contacts/problems.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { listFields, listTags, type Field, type GivenValues } from './field-queries.ts'
import { ensureTags } from './fields.ts'
import { lockValues, upsertValues, type StoredValues } from './value-queries.ts'

/** Treatment of an existing contact: left unchanged, replaced by the row, or amended with the row's values. */
export type Existing = 'keep' | 'replace' | 'amend'

/**
 * Writes the tags and fields of one contact, from a form or the API. Throws a 400 that names the first unreadable
 * value.
 */
export async function writeTyped(
	sql: Sql,
	accountId: AccountId,
	{
		number,
		tags,
		fields,
	}: { number: string; tags?: readonly string[] | undefined; fields?: Record<string, string> | undefined },
): Promise<void> {
	const { values, faults } = readValues(fields ? await listFields(sql, accountId) : [], fields)
	const [fault] = faults
	if (fault) throw problem('field_value_invalid', { field: fault.field, reason: fault.message })
	const given = new Map([[number, { tags: tags && cleanTags(tags), values }]])
	await writeGiven(sql, accountId, { given, existing: 'replace' })
}

interface Given {
	/** Values by phone number. */
	given: ReadonlyMap<string, GivenValues>
	/**
	 * Treatment of contacts that existed before this transaction: `amend` adds tags, `replace` replaces them. With
	 * `replace`, a tag above a limit throws; otherwise the contact is written without the tag.
	 */
	existing: Existing
}

export interface Written {
	/** Numbers of existing contacts that changed. */
	changed: string[]
	/** Tags that were left out, by number. */
	withoutTags: Map<string, string[]>
}

/**
 * Writes tags and values of existing contacts, including contacts that this transaction inserted. Throws a 400 when
 * `replace` gives a contact too many tags.
 */
export async function writeGiven(sql: Sql, accountId: AccountId, { given, existing }: Given): Promise<Written> {
	const stated = [...given].filter(([, one]) => one.tags !== undefined || one.values.length > 0)
	const withoutTags = new Map<string, string[]>()
	if (stated.length === 0) return { changed: [], withoutTags }
	const isLenient = existing !== 'replace'
	const allTags = stated.flatMap(([, { tags = [] }]) => tags)
	const tagIds = await ensureTags(sql, accountId, { names: allTags, isLenient })
	const existingTags = new Set(allTags.length > 0 ? (await listTags(sql, accountId)).map(({ id }) => id) : [])
	// Clears slots of deleted fields and never writes to them: the next field reuses the slot.
	const slots = slotsOf(await listFields(sql, accountId, { isLocked: true }))
	const known = await lockValues(
		sql,
		accountId,
		stated.map(([number]) => number),
	)
	const changed = known.flatMap((before) => {
		if (existing === 'keep' && !before.isNew) return []
		const one = given.get(before.number)
		if (!one) return []
		const { tags, left } = mergedTags(before.tags, { one, tagIds, existingTags, isAdding: existing === 'amend' })
		if (left.length > 0 && !isLenient) throw problem('contact_tags_full', { most: MAX_TAGS_OF_CONTACT })
		if (left.length > 0) withoutTags.set(before.number, left)
		const after = { ...mergedValues(before, one, slots), tags }
		return isSame(before, after) ? [] : [{ ...before, ...after }]
	})
	if (changed.length > 0)
		await upsertValues(
			sql,
			accountId,
			changed.map(({ contactId, tags, texts, numbers }) => ({ contactId, tags, texts, numbers })),
		)
	return { changed: changed.filter(({ isNew }) => !isNew).map(({ number }) => number), withoutTags }
}

interface TagMerging {
	one: GivenValues
	/** Tag ids by name in lower case. */
	tagIds: ReadonlyMap<string, number>
	/** Ids of the account's tags. Contacts may still have ids of deleted tags, which do not count. */
	existingTags: ReadonlySet<number>
	isAdding: boolean
}

/** Returns the tags of a contact up to the limit, and the names of the tags that were left out. */
function mergedTags(
	before: number[],
	{ one, tagIds, existingTags, isAdding }: TagMerging,
): { tags: number[]; left: string[] } {
	if (one.tags === undefined) return { tags: before, left: [] }
	const had = before.filter((id) => existingTags.has(id))
	const tags = new Set(isAdding ? had : [])
	const left: string[] = []
	for (const name of one.tags) {
		const id = tagIds.get(name.toLowerCase())
		if (id !== undefined && (tags.has(id) || tags.size < MAX_TAGS_OF_CONTACT)) tags.add(id)
		else left.push(name)
	}
	const isUnchanged = isAdding && tags.size === had.length
	return { tags: isUnchanged ? before : [...tags], left }
}

/** Existing fields: their ids, and the slots of their values, from 1. */
type Slots = Record<'ids' | 'texts' | 'numbers', ReadonlySet<number>>

function slotsOf(fields: readonly Field[]): Slots {
	const slots = (isOfTexts: boolean) =>
		new Set(fields.filter(({ type }) => (type === 'text') === isOfTexts).map(({ slot }) => slot))
	return { ids: new Set(fields.map(({ id }) => id)), texts: slots(true), numbers: slots(false) }
}

function mergedValues(before: StoredValues, one: GivenValues, slots: Slots): Pick<StoredValues, 'texts' | 'numbers'> {
	const texts = before.texts.map((value, at) => (slots.texts.has(at + 1) ? value : null))
	const numbers = before.numbers.map((value, at) => (slots.numbers.has(at + 1) ? value : null))
	for (const [{ type, slot }, value] of one.values.filter(([{ id }]) => slots.ids.has(id)))
		if (type === 'text') put(texts, slot, value || null)
		else put(numbers, slot, value === '' ? null : numberOfValue(type, value))
	return { texts, numbers }
}

function put<T>(list: (T | null)[], slot: number, value: T | null): void {
	while (list.length < slot) list.push(null)
	list[slot - 1] = value
}

function isSame(a: StoredValues, b: StoredValues): boolean {
	return isSameList(a.tags, b.tags) && isSameList(a.texts, b.texts) && isSameList(a.numbers, b.numbers)
}

/** Compares two lists; missing elements at the end count as null. */
function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
	const places = [...(one.length > other.length ? one : other).keys()]
	return places.every((at) => (one[at] ?? null) === (other[at] ?? null))
}
