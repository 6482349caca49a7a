import * as z from 'zod/mini'
import { cleanTexts } from './clean-texts.ts'

/** An id on the wire: the digits of a positive bigint. */
export const Id = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Not a valid id'))

/** An optional id. The empty text of a form or link without a choice (`group=`) is undefined. */
export const OptionalId = z.optional(
	z.pipe(
		z.union([z.literal(''), Id], { error: 'Not a valid id' }),
		z.transform((id) => id || undefined),
	),
)

/** `?page=2`: missing or unreadable means the first page, as a link with a typo should still open. */
export const Page = z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1)

/** Rows on one page of a table. */
export const PAGE_SIZE = 10

/** `?limit=10`, at most 1,000; `fallback` for a missing or unreadable one. */
export function Limit(fallback: number) {
	return z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), fallback)
}

/** One of these values; `fallback` for a missing or unknown one, as a link with a typo should still open. */
export function OneOf<const T extends readonly string[]>(values: T, fallback: T[number]) {
	return z._default(z.catch(z.enum(values), fallback), fallback)
}

/** Nothing that is searched is longer, so that the rest of a text pasted by mistake makes no difference. */
const MAX_SEARCH_LENGTH = 200
const shorten = z.overwrite<string>((text) => text.slice(0, MAX_SEARCH_LENGTH))
export const Search = z.catch(z.string().check(z.trim(), shorten), '')

/** A required text: trimmed, and refused with `message` when nothing is left. */
export function Required(message: string, maxLength = 200) {
	return z
		.string({ error: message })
		.check(z.trim(), z.minLength(1, message), z.maxLength(maxLength, `At most ${maxLength} characters are allowed`))
}

/** An optional text: trimmed; nothing left means none, and so does null, which replies use for it. */
export function OptionalText(maxLength = 500) {
	const text = z.string().check(z.trim(), z.maxLength(maxLength, `At most ${maxLength} characters are allowed`))
	return z.optional(
		z.pipe(
			z.nullable(text),
			z.transform((given: string | null) => given ?? undefined),
		),
	)
}

// No check aborts, so that rules about several fields still run. The pattern accepts the empty text, which has its own message.
export const Email = z
	.string({ error: 'Email is required' })
	.check(
		z.trim(),
		z.minLength(1, 'Email is required'),
		z.maxLength(254, 'Invalid email format'),
		z.regex(/^$|^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Invalid email format'),
	)

export const Password = z
	.string({ error: 'Password is required' })
	.check(
		z.minLength(1, { error: 'Password is required', abort: true }),
		z.minLength(6, { error: 'Password must be at least 6 characters', abort: true }),
		z.maxLength(200, 'At most 200 characters are allowed'),
	)

/** A JSON text in a multipart field, read as `shape`. */
export function JsonText<T extends z.ZodMiniType>(shape: T, message: string) {
	return z.pipe(z.pipe(z.string(), parseJson(message)), shape)
}

/** A list, as a JSON text in a multipart field or as itself in JSON; one that is missing, empty or null has nothing in it. */
export function JsonList<T extends z.ZodMiniType>(item: T, message: string) {
	const given = z.optional(z.union([z.string(), z.array(z.unknown()), z.null()], message))
	const asText = z.transform((list: string | unknown[] | null | undefined) => {
		const text = typeof list === 'string' ? list.trim() : JSON.stringify(list ?? [])
		return text === '' || text === 'null' ? '[]' : text
	})
	return z.pipe(z.pipe(z.pipe(given, asText), parseJson(message)), z.array(item, message))
}

function parseJson(message: string) {
	return z.transform((text: string, context): unknown => {
		try {
			// An escape in JSON (\u0000) becomes a character only here.
			return cleanTexts(JSON.parse(text))
		} catch {
			context.issues.push({ code: 'custom', message, input: text })
			return z.NEVER
		}
	})
}

/** A point in time on the wire, ISO 8601 in UTC. */
export const Time = z.iso.datetime()

export const Message = z.object({ message: z.string() })
