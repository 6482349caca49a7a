import * as z from 'zod/mini'
import { Entries, Required, Text } from '#lib/fields.ts'

/** Returns the field with a sentence for the documentation. */
export function Described<T extends z.ZodMiniType>(shape: T, text: string): T {
	return shape.check(z.describe(text))
}

/** An amount in answers of /v1. */
export const Amount = z.object({
	paise: Described(z.int(), 'The exact amount.'),
	rupees: Described(z.string(), 'The same with two decimals, such as "1.00".'),
})

const MAX_VALUES = 250

/** Values of a message, by the names of the template's variables. */
export const Values = Entries(
	{ key: Text(50), value: Text(1024, { missing: 'A value must be text, such as "499"' }) },
	MAX_VALUES,
	`At most ${MAX_VALUES} values are allowed`,
)

const MAX_REFERENCE_LENGTH = 100
const MAX_METADATA = 20

/** A program's own name of a message, by which it can be found. */
export const Reference = Required('A reference has 1 to 100 characters', MAX_REFERENCE_LENGTH)

/** A program's own facts about a message, which answers and events return. */
export const Metadata = Entries(
	{ key: Text(40), value: Text(200, { missing: 'A value must be text, such as "499"' }) },
	MAX_METADATA,
	`At most ${MAX_METADATA} entries are allowed`,
)

/**
 * Maximum bytes of the body of a call with a list: 5,000 recipients with a value of 1,024 characters in any script each, or
 * 1,000 messages with values of 20,000 bytes each.
 */
export const MAX_LIST_BYTES = 20_000_000

/** The template to send. */
export const TemplateName = z.strictObject({
	name: Described(Required('Name the template', 512), 'As the template is called at WhatsApp.'),
	language: Described(
		z.optional(Text(20)),
		'Such as `en_US`. Needed only where the template exists in several languages.',
	),
})

export const CURSOR_TEXT = 'The `next` of the page before. Left out, the first page.'

/** The query of a list: `cursor` is the `next` of the previous page. */
export const Paged = {
	cursor: Described(
		z.optional(Text(18, { tooLong: 'Not a valid cursor' }).check(z.regex(/^[1-9]\d*$/, 'Not a valid cursor'))),
		CURSOR_TEXT,
	),
	limit: Described(
		z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 100),
		'How many, from 1 to 1,000.',
	),
}

export function ListOf<T extends z.ZodMiniType>(item: T) {
	const next = Described(z.nullable(z.string()), 'The `cursor` of the next page; null on the last one.')
	return z.object({ data: z.array(item), next })
}

/** A problem as in RFC 9457. */
export const Problem = z.object({
	type: z.string(),
	title: Described(z.string(), 'The name of the status.'),
	status: z.int(),
	code: Described(z.string(), 'For programs: it never changes.'),
	detail: Described(z.optional(z.string()), 'For people: what happened, and what to do.'),
	errors: Described(
		z.optional(
			z.array(
				z.object({
					path: z.string(),
					detail: z.string(),
					in: Described(z.optional(z.enum(['path', 'query'])), 'Where the place is not in the body.'),
				}),
			),
		),
		'The faults of the request, the first 1,000 of them, with the place of each as a JSON pointer (RFC 6901).',
	),
	errorCount: Described(z.optional(z.int()), 'Of a request with more faults than `errors` names: how many it has.'),
	maxBytes: Described(z.optional(z.int()), 'Of `too_large`: the largest body that the call takes.'),
	scope: Described(z.optional(z.string()), 'Of `scope_missing`: the permission that the key was made without.'),
	needed: Described(z.optional(Amount), 'Of a 402: what it would cost.'),
	spent: Described(z.optional(Amount), 'Of `day_limit_reached`: what the key has spent today.'),
	limit: Described(z.optional(Amount), 'Of `day_limit_reached`: what the key may spend in a day.'),
	available: Described(z.optional(Amount), 'Of a 402: what the wallet has.'),
})
