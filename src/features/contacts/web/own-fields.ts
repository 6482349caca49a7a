import { useQuery } from '@tanstack/react-query'
import { ownFields, type FieldRow, type TagRow } from '#features/contacts/own-fields-contract.ts'
import type { FieldType } from '#features/contacts/own-fields.ts'
import { query } from '#lib/web/query.ts'

export const allOwnFields = query(ownFields.list)

const NONE: { fields: FieldRow[]; tags: TagRow[] } = { fields: [], tags: [] }

/** The account's fields and tags; none until they are there. */
export function useOwnFields() {
	const { data } = useQuery(allOwnFields)
	return data ?? NONE
}

export const TYPE_WORDS: Record<FieldType, string> = {
	text: 'Text',
	number: 'Number',
	date: 'Date',
	yesno: 'Yes or no',
}

export const TYPE_CHOICES = Object.entries(TYPE_WORDS).map(([value, label]) => ({ value, label }))
