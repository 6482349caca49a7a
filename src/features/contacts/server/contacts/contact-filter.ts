import { cleanName } from '#features/contacts/rules.ts'
import { readNumberPart } from '#lib/phone-reader.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findTag, listFields, type Field } from '../fields/field-queries.ts'
import { findGroup } from '../groups/group-queries.ts'

/** `numberPart`: digits to find within numbers, when the text can be read as part of one. */
export interface ContactFilter {
	search: string
	numberPart: string | null
	groupId: number | null
	tagId: number | null
	/** Who has this in a field; without a value, who has anything in it. */
	having: { field: Field; value: string } | null
}

interface Wanted {
	search: string
	group?: string | undefined
	tag?: string | undefined
	field?: string | undefined
	value?: string | undefined
}

/** By a text alone. */
export function filterOf(search: string): ContactFilter {
	return { search, numberPart: readNumberPart(search), groupId: null, tagId: null, having: null }
}

/**
 * What a list is narrowed down by, as its query says it. Null where the group, tag or field was deleted: it finds nobody, though
 * contacts may still carry it.
 */
export async function readFilter(
	sql: Sql,
	accountId: AccountId,
	{ search, group, tag, field, value = '' }: Wanted,
): Promise<ContactFilter | null> {
	const fields = field ? await listFields(sql, accountId) : []
	const known = fields.find(({ id }) => String(id) === field)
	const isGone =
		(group && !(await findGroup(sql, accountId, group))) ||
		(tag && !(await findTag(sql, accountId, tag))) ||
		(field && !known)
	if (isGone) return null
	return {
		...filterOf(search),
		groupId: group ? Number(group) : null,
		tagId: tag ? Number(tag) : null,
		having: known ? { field: known, value: cleanName(value) } : null,
	}
}
