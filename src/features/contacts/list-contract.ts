import * as z from 'zod/mini'
import { Id, OptionalId, Search, TrimmedText } from '#lib/fields.ts'
import { MAX_VALUE_LENGTH } from './own-fields.ts'

/** What the list of contacts can be ordered by. */
export const CONTACT_SORTS = ['added', 'name', 'number'] as const
export type ContactSort = (typeof CONTACT_SORTS)[number]

/** What the list of groups can be ordered by. */
export const GROUP_SORTS = ['createdAt', 'name', 'contacts'] as const
export type GroupSort = (typeof GROUP_SORTS)[number]

/** Narrows a list of contacts down. `value` is what the field is, or contains where it is a text; without it the field has any value. */
export const Filter = {
	search: Search,
	group: OptionalId,
	tag: OptionalId,
	field: OptionalId,
	value: z.optional(Search),
}

const Chosen = z
	.array(Id, 'Choose at least one contact')
	.check(z.minLength(1, 'Choose at least one contact'), z.maxLength(1000, 'At most 1,000 contacts at once'))

/** All contacts that a search and filters find, instead of their ids. A misspelt filter would choose more of them. */
export const MatchingContacts = z
	.strictObject({
		...Filter,
		// A list takes an unreadable search for none; here that would choose all contacts, to be deleted.
		search: TrimmedText(200),
		value: z.optional(TrimmedText(MAX_VALUE_LENGTH)),
		/** How many were seen to match: when there are more or fewer by now, nothing is done. */
		total: z.int().check(z.gte(1)),
	})
	.check(
		z.refine(({ field, value }) => field !== undefined || !value, {
			path: ['field'],
			error: 'Choose the field that has this value',
		}),
	)
export type MatchingContacts = z.output<typeof MatchingContacts>

/** For a body: either of both. */
export const WhichContacts = { ids: z.optional(Chosen), matching: z.optional(MatchingContacts) }
export const oneOfBoth = z.refine<{ ids?: unknown; matching?: unknown }>(
	({ ids, matching }) => (ids === undefined) !== (matching === undefined),
	'Choose at least one contact',
)
