import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { customFields, type FieldRow, type FieldType, type TagRow } from '../custom-fields.ts'

export const allCustomFields = query(customFields.list)

const NONE: { fields: FieldRow[]; tags: TagRow[] } = { fields: [], tags: [] }

/** Returns the account's fields and tags; empty lists while loading. */
export function useCustomFields() {
	const { data } = useQuery(allCustomFields)
	return data ?? NONE
}

/**
 * Formats a stored value for India: 12,345.5 and 25 Nov 2026. A value that does not fit the type is returned unchanged.
 */
export function valueInWords(value: string, type: FieldType | undefined): string {
	if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
	return type === 'number' && value.trim() !== '' && Number.isFinite(Number(value)) ? formatCount(Number(value)) : value
}

export const TYPE_WORDS: Record<FieldType, string> = {
	text: 'Text',
	number: 'Number',
	date: 'Date',
	yesno: 'Yes or no',
}

export const ANSWERS = [
	{ value: 'yes', label: 'Yes' },
	{ value: 'no', label: 'No' },
]

export const TYPE_CHOICES = Object.entries(TYPE_WORDS).map(([value, label]) => ({ value, label }))
