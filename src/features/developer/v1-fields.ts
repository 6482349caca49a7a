import * as z from 'zod/mini'
import { Required, Text } from '#lib/fields.ts'

/** What every answer of /v1 is made of. */
export const Amount = z.object({ paise: z.int(), rupees: z.string() })

/** Which template is sent. */
export const TemplateName = z.object({
	name: Required('Name the template', 512),
	/** May be left out where the template has one language. */
	language: z.optional(Text(20)),
})

/** The query of a list: `cursor` is the `next` of the page before. */
export const Paged = {
	cursor: z.optional(Text(18, { tooLong: 'Not a valid cursor' }).check(z.regex(/^[1-9]\d*$/, 'Not a valid cursor'))),
	limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 100),
}

/** `next` is null on the last page. */
export function ListOf<T extends z.ZodMiniType>(item: T) {
	return z.object({ data: z.array(item), next: z.nullable(z.string()) })
}

/** RFC 9457. `code` is for programs and never changes; `detail` is for people. */
export const Problem = z.object({
	type: z.string(),
	title: z.string(),
	status: z.int(),
	code: z.string(),
	detail: z.optional(z.string()),
	/** Each fault of the request, by its place in the body as a JSON pointer. */
	errors: z.optional(z.array(z.object({ path: z.string(), detail: z.string() }))),
})
