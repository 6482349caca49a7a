import { cleanName } from '#features/contacts/rules.ts'
import { readNumberPart } from '#lib/phone/phone-reader.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { findTag, listFields, type Field } from '../fields/field-queries.ts'
import { findGroup } from '../groups/group-queries.ts'

/** Filter of contacts. `numberPart` is the search as digits of a number, null when the search cannot be part of one. */
export interface ContactFilter {
	search: string
	numberPart: string | null
	groupId: number | null
	tagId: number | null
	/** Field and value to match; an empty value matches any value of the field. Null without a filter by field. */
	having: { field: Field; value: string } | null
}

interface Wanted {
	search: string
	group?: string | undefined
	tag?: string | undefined
	field?: string | undefined
	value?: string | undefined
}

/** Returns a filter with a search text only. */
export function filterOf(search: string): ContactFilter {
	return { search, numberPart: readNumberPart(search), groupId: null, tagId: null, having: null }
}

/**
 * Parses the filters of a list's query. Returns null when the group, tag or field does not exist: nothing matches then,
 * although contacts may still carry the id of a deleted one.
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
