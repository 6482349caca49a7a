import * as z from 'zod/mini'
import { MAX_NUMBER_LENGTH } from '#features/contacts/rules.ts'
import { NUMBER_INVALID } from '#features/contacts/rules.ts'
import { Across, TrimmedText, type FoundFault } from '#lib/fields.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'

const asText = z.transform((given: string | number) => String(given))

/** Returns the field of a phone number: a text, or a JSON number, which is read as its digits. */
export function TypedNumber({ missing = NUMBER_INVALID } = {}) {
	const given = z.union([TrimmedText(MAX_NUMBER_LENGTH), z.int(NUMBER_INVALID).check(z.positive(NUMBER_INVALID))], {
		error: ({ input }) => (input === undefined || input === '' ? missing : NUMBER_INVALID),
	})
	return z.pipe(given, asText)
}

const Typed = TypedNumber()

/** A phone number that can exist, as it was typed. */
export const PhoneNumber = Typed.check(z.refine((typed) => readNumber(typed) !== null, NUMBER_INVALID))

/** Place of the numbers in a body: a field of each entry of a list, or a field of the body. */
export interface NumberPlace {
	list: 'messages' | 'recipients' | 'contacts' | null
	field: 'to' | 'number'
	/** True when two entries of the list may have the same number. */
	mayRepeat?: boolean
}

/** Returns the faults of numbers that the shape accepts: invalid ones, and those that an earlier entry has. */
export function numberFaults(
	entries: readonly unknown[],
	{ list, field, mayRepeat = false }: NumberPlace,
): FoundFault[] {
	const places = new Map<string, string>()
	return entries.flatMap((entry, index): FoundFault[] => {
		const typed = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[field] : undefined
		if (!Typed.safeParse(typed).success) return []
		const path = list === null ? [field] : [list, index, field]
		const number = readNumber(String(typed))
		if (number === null) return [{ path, message: NUMBER_INVALID }]
		const earlier = places.get(number)
		if (earlier !== undefined && !mayRepeat) return [{ path, message: `The same number as of ${earlier}` }]
		places.set(number, `/${path.join('/')}`)
		return []
	})
}

/**
 * Adds the faults of numbers to those of a body's shape, so that one answer lists both. For a valid shape, the handler checks
 * the numbers together with the values.
 */
export function NumbersBesideFaults(place: NumberPlace) {
	return Across<Record<string, unknown>>(
		(body) => {
			const entries = place.list === null ? [body] : body[place.list]
			return Array.isArray(entries) ? numberFaults(entries.slice(0, MAX_ENTRIES), place) : []
		},
		{ besideFaults: true },
	)
}

/** Maximum number of entries in any list of /v1. */
const MAX_ENTRIES = 5000
