import * as z from 'zod/mini'
import { Id, OptionalId, Search, TrimmedText } from '#lib/fields.ts'
import { MAX_VALUE_LENGTH } from './custom-fields.ts'

/** Sort keys of the list of contacts. */
export const CONTACT_SORTS = ['added', 'name', 'number'] as const
export type ContactSort = (typeof CONTACT_SORTS)[number]

/** Sort keys of the list of groups. */
export const GROUP_SORTS = ['createdAt', 'name', 'contacts'] as const
export type GroupSort = (typeof GROUP_SORTS)[number]

/**
 * Query parameters that filter contacts. `value` is the field's value, or a part of it in a text field; without
 * `value`, any value matches.
 */
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

/**
 * A filter that chooses all matching contacts, instead of ids. Strict, because an ignored misspelt key would choose
 * more contacts.
 */
export const MatchingContacts = z
	.strictObject({
		...Filter,
		// Lists ignore an invalid search. Here an ignored search would choose all contacts, for instance to delete
		// them.
		search: TrimmedText(200),
		value: z.optional(TrimmedText(MAX_VALUE_LENGTH)),
		/** Number of matching contacts that the caller has seen. The call fails when the number has changed. */
		total: z.int().check(z.gte(1)),
	})
	.check(
		z.refine(({ field, value }) => field !== undefined || !value, {
			path: ['field'],
			error: 'Choose the field that has this value',
		}),
	)
export type MatchingContacts = z.output<typeof MatchingContacts>

/** Body fields that choose contacts: exactly one of `ids` and `matching`. */
export const WhichContacts = { ids: z.optional(Chosen), matching: z.optional(MatchingContacts) }
export const oneOfBoth = z.refine<{ ids?: unknown; matching?: unknown }>(
	({ ids, matching }) => (ids === undefined) !== (matching === undefined),
	'Choose at least one contact',
)
