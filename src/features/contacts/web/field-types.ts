import type { FieldType } from '../custom-fields.ts'

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
