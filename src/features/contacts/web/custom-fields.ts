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

/** Names of fields that hold rupees, such as Bill Amount, Last bill and बकाया राशि. */
const MONEY_NAME =
	/(?:^|[^\p{L}])(?:amount|amt|price|rupees|rs|inr|mrp|spent|order value|राशि|रकम)(?:$|[^\p{L}])|(?:^|[^\p{L}])(?:bill|dues)$|₹/iu

/**
 * Formats a stored value for India: 12,345.5, 25 Nov 2026, and ₹1,000 in a number field whose name says that it holds
 * money. A value that does not fit the type is returned unchanged.
 */
export function valueInWords(value: string, type: FieldType | undefined, name = ''): string {
	if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
	if (type !== 'number' || value.trim() === '' || !Number.isFinite(Number(value))) return value
	const count = formatCount(Number(value))
	return MONEY_NAME.test(name) ? count.replace(/^(-?)/, '$1₹') : count
}

/** Returns the names of a contact's custom fields with their values in words. */
export function useFieldsInWords(values: Readonly<Record<string, string>>): [name: string, words: string][] {
	const { fields } = useCustomFields()
	const typeOf = (name: string) => fields.find((field) => field.name === name)?.type
	return Object.entries(values).map(([name, value]) => [name, valueInWords(value, typeOf(name), name)])
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
