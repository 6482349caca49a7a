import * as z from 'zod/mini'
import { countCharacters } from './characters.ts'
import { cleanText } from './clean-texts.ts'

interface Wording {
	/** For what is no text. */
	missing?: string
	tooLong?: string
}

/**
 * A text of at most so many code points, made storable by `cleanText`. A longer one is refused before any other check or
 * transform looks at it.
 */
export function Text(maxLength: number, { missing, tooLong = atMost(maxLength) }: Wording = {}) {
	return z.string(missing).check(maxCharacters(maxLength, tooLong), z.overwrite(cleanText))
}

/** As zod's check of a length, which the contract is described by, but in code points instead of UTF-16 units. */
function maxCharacters(max: number, error: string) {
	const check = z.maxLength(max, { error, abort: true })
	const refuse = check._zod.check
	// A code point has one or two units: only a text between the two limits needs to be counted.
	check._zod.check = (payload) => {
		const value: unknown = payload.value
		const fits = typeof value === 'string' && value.length <= max * 2 && countCharacters(value) <= max
		return fits ? undefined : refuse(payload)
	}
	return check
}

/** Spaces around a text do not count, up to this many. */
const MAX_PADDING = 500

/** The same, trimmed. */
export function TrimmedText(maxLength: number, { missing, tooLong = atMost(maxLength) }: Wording = {}) {
	return Text(maxLength + MAX_PADDING, { missing, tooLong }).check(z.trim(), maxCharacters(maxLength, tooLong))
}

function atMost(maxLength: number): string {
	return `At most ${maxLength} characters are allowed`
}

/** An id on the wire: the digits of a positive bigint. */
export const Id = Text(18, { tooLong: 'Not a valid id' }).check(z.regex(/^[1-9]\d*$/, 'Not a valid id'))

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
/** Node.js takes no longer address. */
const MAX_URL_LENGTH = 16_384
export const Search = z.catch(Text(MAX_URL_LENGTH).check(z.trim(), shorten), '')

/** The query of a list that is searched and shown in pages. */
export const ListQuery = { page: Page, limit: Limit(PAGE_SIZE), search: Search }

/** `?sort=name&order=asc`: by one of these columns, at first by `first` with the latest or most on top. */
export function SortedBy<const T extends readonly string[]>(columns: T, first: T[number]) {
	return { sort: OneOf(columns, first), order: OneOf(['asc', 'desc'], 'desc') }
}

/** A required text: trimmed, and refused with `message` when nothing is left. */
export function Required(message: string, maxLength = 200) {
	return TrimmedText(maxLength, { missing: message }).check(z.minLength(1, message))
}

/** An optional text: trimmed; nothing left means none, and so does null, which replies use for it. */
export function OptionalText(maxLength = 500) {
	return z.optional(
		z.pipe(
			z.nullable(TrimmedText(maxLength)),
			z.transform((given: string | null) => given ?? undefined),
		),
	)
}

// An empty one does not abort, so that rules about several fields still run; the pattern accepts it, as it has its own message.
export const Email = TrimmedText(254, { missing: 'Email is required', tooLong: 'Invalid email format' }).check(
	z.minLength(1, 'Email is required'),
	z.regex(/^$|^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, 'Invalid email format'),
)

export const Password = Text(200, { missing: 'Password is required' }).check(
	z.minLength(1, { error: 'Password is required', abort: true }),
	z.minLength(6, { error: 'Password must be at least 6 characters', abort: true }),
)

/** An object with any names and at most so many entries. */
export function Entries<K extends z.core.$ZodRecordKey, V extends z.ZodMiniType>(
	shape: { key: K; value: V },
	maxEntries: number,
	tooMany = `At most ${maxEntries} entries are allowed`,
) {
	return z
		.record(shape.key, shape.value)
		.check(z.refine((entries) => Object.keys(entries).length <= maxEntries, tooMany))
		.register(z.globalRegistry, { maxProperties: maxEntries })
}

/** A fault that a rule about several fields finds, with its place below the value. */
export interface FoundFault {
	path: PropertyKey[]
	message: string
}

/**
 * Checks a rule about several fields or entries. It runs also where single fields have faults, so that one answer names all of
 * them: `find` has to expect values of any type. With `besideFaults` it runs only there.
 */
export function Across<T>(find: (value: T) => readonly FoundFault[], { besideFaults = false } = {}) {
	return z.check<T>(
		({ value, issues }) => {
			for (const fault of find(value)) issues.push({ code: 'custom', input: value, continue: true, ...fault })
		},
		{
			when: ({ value, issues }: z.core.ParsePayload) =>
				typeof value === 'object' && value !== null && (!besideFaults || issues.length > 0),
		},
	)
}

/** A JSON text of at most so many characters in a multipart field, read as `shape`. */
export function JsonText<T extends z.ZodMiniType>(shape: T, message: string, maxLength: number) {
	return z.pipe(z.pipe(Text(maxLength), parseJson(message)), shape)
}

/**
 * A list of at most so many items, as a JSON text in a multipart field or as itself in JSON; one that is missing, empty or null
 * has nothing in it.
 */
export function JsonList<T extends z.ZodMiniType>(item: T, message: string, limits: { items: number; length: number }) {
	const upToMaxItems = z.maxLength(limits.items, `At most ${limits.items} are allowed`)
	const asItself = z.array(z.unknown()).check(upToMaxItems)
	const given = z.optional(z.union([Text(limits.length), asItself, z.null()], message))
	const asText = z.transform((list: string | unknown[] | null | undefined) => {
		const text = typeof list === 'string' ? list.trim() : JSON.stringify(list ?? [])
		return text === '' || text === 'null' ? '[]' : text
	})
	return z.pipe(z.pipe(z.pipe(given, asText), parseJson(message)), z.array(item, message).check(upToMaxItems))
}

function parseJson(message: string) {
	return z.transform((text: string, context): unknown => {
		try {
			return JSON.parse(text)
		} catch {
			context.issues.push({ code: 'custom', message, input: text })
			return z.NEVER
		}
	})
}

/** A point in time that a caller sends: RFC 3339, in UTC or with an offset that exists. PostgreSQL has no year 0. */
export const SentTime = Text(40, { tooLong: 'Not a valid time' }).check(
	z.iso.datetime({ offset: true, error: 'Not a valid time', abort: true }),
	// No pattern, beside which the description of a call would lose the format.
	z.refine((time) => !time.startsWith('0000') && /(?:Z|[+-](?:0\d|1[0-4]):\d\d)$/.test(time), 'Not a valid time'),
)

/** A point in time of a response: the same text, made from the Date of a row. */
export const Time = z.pipe(
	z.transform((time: Date | string) => (time instanceof Date ? time.toISOString() : time)),
	z.iso.datetime(),
)

/** The id of a row in a response, where it is a text. */
export const RowId = z.pipe(z.transform(String as (id: number | string) => string), z.string())

export const Message = z.object({ message: z.string() })
