import * as z from 'zod/mini'
import { atMost, countCharacters, cutTo } from './text/characters.ts'
import { cleanText } from './text/clean-texts.ts'

interface Wording {
	/** Message for a value that is no text. */
	missing?: string
	tooLong?: string
}

/**
 * Returns a schema for a text of at most `maxLength` code points, made storable by `cleanText`. Refuses a longer text
 * before any other check or transform runs.
 */
export function Text(maxLength: number, { missing, tooLong = atMost(maxLength) }: Wording = {}) {
	return z.string(missing).check(maxCharacters(maxLength, tooLong), z.overwrite(cleanText))
}

/**
 * Returns zod's maximum length check, which the contract's description needs, with a count in code points instead of
 * UTF-16 units.
 */
function maxCharacters(max: number, error: string) {
	const check = z.maxLength(max, { error, abort: true })
	const refuse = check._zod.check
	// A code point has one or two units, so only a text between both limits is counted.
	check._zod.check = (payload) => {
		const value: unknown = payload.value
		const fits = typeof value === 'string' && value.length <= max * 2 && countCharacters(value) <= max
		return fits ? undefined : refuse(payload)
	}
	return check
}

/** Maximum number of surrounding spaces that do not count towards the length. */
const MAX_PADDING = 500

/**
 * Returns a schema for a `Text` that is trimmed. Up to MAX_PADDING surrounding spaces do not count towards `maxLength`.
 */
export function TrimmedText(maxLength: number, { missing, tooLong = atMost(maxLength) }: Wording = {}) {
	return Text(maxLength + MAX_PADDING, { missing, tooLong }).check(z.trim(), maxCharacters(maxLength, tooLong))
}

/** The digits of a positive bigint. */
const ID = /^[1-9]\d{0,17}$/

/** Returns an id from the page's URL; undefined for another text. Works in the browser before the schemas have loaded. */
export function readId(text: string | null): string | undefined {
	return text && ID.test(text) ? text : undefined
}

/** An id in the API. */
export const Id = Text(18, { tooLong: 'Not a valid id' }).check(z.regex(ID, 'Not a valid id'))

/** An optional id. The empty text of a form or link (`group=`) becomes undefined. */
export const OptionalId = z.optional(
	z.pipe(
		z.union([z.literal(''), Id], { error: 'Not a valid id' }),
		z.transform((id) => id || undefined),
	),
)

/** Page number in `?page=2`. A missing or unreadable one becomes 1, so that a link with a typo still opens. */
export const Page = z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1)

/** Rows per page of a table. */
export const PAGE_SIZE = 10

/** Returns a schema for `?limit=10`, at most 1,000; `fallback` replaces a missing or unreadable number. */
export function Limit(fallback: number) {
	return z.catch(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), fallback)
}

/**
 * Returns a schema for one of these values; `fallback` replaces a missing or unknown one, so that a link with a typo
 * still opens.
 */
export function OneOf<const T extends readonly string[]>(values: T, fallback: T[number]) {
	return z._default(z.catch(z.enum(values), fallback), fallback)
}

/** Maximum characters of a search; the rest of a longer input is ignored. No searched text is longer. */
const MAX_SEARCH_LENGTH = 200
const shorten = z.overwrite<string>((text) => cutTo(text, MAX_SEARCH_LENGTH))
/** Longest URL that Node.js accepts. */
const MAX_URL_LENGTH = 16_384
export const Search = z.catch(Text(MAX_URL_LENGTH).check(z.trim(), shorten), '')

/** Query of a list with search and pages. */
export const ListQuery = { page: Page, limit: Limit(PAGE_SIZE), search: Search }

/** Returns the schemas of `?sort=name&order=asc` for these columns; by default `first`, descending. */
export function SortedBy<const T extends readonly string[]>(columns: T, first: T[number]) {
	return { sort: OneOf(columns, first), order: OneOf(['asc', 'desc'], 'desc') }
}

/** Returns a schema for a required text, trimmed; an empty one is refused with `message`. */
export function Required(message: string, maxLength = 200) {
	return TrimmedText(maxLength, { missing: message }).check(z.minLength(1, message))
}

/** Returns a schema for an optional text, trimmed. An empty text or null, which replies contain, becomes undefined. */
export function OptionalText(maxLength = 500) {
	return z.optional(
		z.pipe(
			z.nullable(TrimmedText(maxLength)),
			z.transform((given: string | null) => given ?? undefined),
		),
	)
}

// The empty text does not abort, so that rules about several fields still run; the pattern accepts it because it has
// its own message.
export const Email = TrimmedText(254, { missing: 'Email is required', tooLong: 'Invalid email format' }).check(
	z.minLength(1, 'Email is required'),
	z.regex(/^$|^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/, 'Invalid email format'),
)

export const Password = Text(200, { missing: 'Password is required' }).check(
	z.minLength(1, { error: 'Password is required', abort: true }),
	z.minLength(6, { error: 'Password must be at least 6 characters', abort: true }),
)

/** Returns a schema for an object with any keys and a maximum number of entries. */
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

/** A fault found by a rule about several fields, with its path below the value. */
export interface FoundFault {
	path: PropertyKey[]
	message: string
}

/**
 * Returns a check for a rule about several fields. It also runs when single fields have faults, so that one answer
 * names all faults: `find` must accept values of any type. With `besideFaults` the check runs only when single fields
 * have faults.
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

/** Returns a schema for JSON text in a multipart field, at most `maxLength` characters long, parsed as `shape`. */
export function JsonText<T extends z.ZodMiniType>(shape: T, message: string, maxLength: number) {
	return z.pipe(z.pipe(Text(maxLength), parseJson(message)), shape)
}

/**
 * Returns a schema for a bounded list, given as JSON text in a multipart field or as a JSON list; a missing, empty or
 * null value becomes an empty list.
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

/** A time in a request: RFC 3339, in UTC or with a valid offset. Refuses year 0, which PostgreSQL does not have. */
export const SentTime = Text(40, { tooLong: 'Not a valid time' }).check(
	z.iso.datetime({ offset: true, error: 'Not a valid time', abort: true }),
	// A refinement instead of a pattern, since a pattern would replace the format in the API description.
	z.refine((time) => !time.startsWith('0000') && /(?:Z|[+-](?:0\d|1[0-4]):\d\d)$/.test(time), 'Not a valid time'),
)

/** A time in a response: ISO text made from a row's Date. */
export const Time = z.pipe(
	z.transform((time: Date | string) => (time instanceof Date ? time.toISOString() : time)),
	z.iso.datetime(),
)

/** A row's id in a response, as a text. */
export const RowId = z.pipe(z.transform(String as (id: number | string) => string), z.string())

export const Message = z.object({ message: z.string() })
