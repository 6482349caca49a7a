import { useQuery } from '@tanstack/react-query'
import { ownFields } from '#features/contacts/own-fields-contract.ts'
import type { FieldType } from '#features/contacts/own-fields.ts'
import { withoutOverrides } from '#lib/bidi.ts'
import { query } from '#lib/web/query.ts'

export const allOwnFields = query(ownFields.list)

/** The account's fields and tags; none until they are there. */
export function useOwnFields() {
	const { data } = useQuery(allOwnFields)
	return { fields: data?.fields ?? [], tags: data?.tags ?? [] }
}

export const TYPE_WORDS: Record<FieldType, string> = {
	text: 'Text',
	number: 'Number',
	date: 'Date',
	yesno: 'Yes or no',
}

export const TYPE_CHOICES = Object.entries(TYPE_WORDS).map(([value, label]) => ({ value, label }))

/** The choices of a tag by its id. */
export function tagChoices(tags: readonly { _id: string; name: string }[]) {
	return tags.map(({ _id, name }) => ({ value: _id, label: withoutOverrides(name) }))
}
