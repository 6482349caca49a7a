import { problemsOf } from '#lib/app-error.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { NAME_AND_NUMBER_MISSING, NUMBER_INVALID } from './rules.ts'

interface Limit {
	most: number
}

/** Refusals of contacts, their groups, fields and tags, and of files of contacts. */
export const problem = problemsOf({
	contacts_missing: { status: 400, text: 'No valid contacts found in CSV' },
	contact_incomplete: { status: 400, text: NAME_AND_NUMBER_MISSING },
	contact_number_invalid: { status: 400, text: NUMBER_INVALID, field: 'number' },
	contact_number_taken: { status: 409, text: 'A contact with this number already exists', field: 'number' },
	contacts_full: {
		status: 409,
		text: ({ most, total, added }: { total: number; added: number } & Limit) =>
			`Your account may keep ${plural(most, 'contact')} and has ${formatCount(total)}: there is no room for ` +
			`${formatCount(added)} more. Delete contacts that you no longer write to, or ask your administrator to raise the limit.`,
	},
	contacts_changed: {
		status: 409,
		text: ({ total }: { total: number }) =>
			`Nothing was changed: ${plural(total, 'contact')} ${total === 1 ? 'matches' : 'match'} by now. Check the list and select them again.`,
	},
	tag_missing: { status: 400, text: 'Enter a tag' },
	tag_taken: { status: 409, text: 'There is a tag of this name already', field: 'name' },
	contact_tags_full: {
		status: 400,
		text: ({ most }: Limit) => `A contact may have ${plural(most, 'tag')} at most`,
	},
	field_taken: { status: 409, text: 'There is a field of this name already', field: 'name' },
	field_places_taken: { status: 409, text: 'Deleted fields are still being cleared. Try again in a minute.' },
	field_value_invalid: {
		status: 400,
		text: ({ reason }: { field: string; reason: string }) => reason,
		field: ({ field }) => `fields.${field}`,
	},
	group_taken: { status: 409, text: 'There is a contact group of this name already', field: 'name' },
	file_too_wide: {
		status: 400,
		text: ({ most }: Limit) => `This file has more than ${formatCount(most)} columns`,
	},
	file_too_long: {
		status: 400,
		text: ({ most }: Limit) => `This file has more than ${formatCount(most)} rows: split it into several`,
	},
	contacts_file_too_large: {
		status: 400,
		text: ({ megabytes }: { megabytes: number }) => `This file is larger than ${megabytes} MB: split it into several`,
	},
})
