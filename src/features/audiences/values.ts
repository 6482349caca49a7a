import type { FieldType } from '#features/contacts/custom-fields.ts'
import type { Component } from '#features/templates/contract.ts'
import { filledParts, fits, type FilledPart } from '#features/templates/filled.ts'
import {
	CONTACT_TAGS,
	findTag,
	fixedFault,
	hasStrayTagBraces,
	isFixed,
	lengthError,
	parseValue,
	slotLabel,
	slotsOf,
	tagsWithoutFallback,
	valueError,
	type Slot,
	type Variables,
} from '#features/templates/values.ts'
import { formatDateTime, formatDay, INDIAN_UTC_OFFSET } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { isSpellingOf } from '#lib/phone/phone.ts'
import { readDay } from '#lib/typed-values.ts'
import type { Format } from './contract.ts'

/** Values of one recipient by merge tag. */
export type Recipient = Readonly<Record<string, string | null | undefined>>

/** Returns the merge tags that contacts have values for: the known ones, and the names of the custom fields. */
export function contactTags(customColumns: ReadonlyMap<string, unknown>): string[] {
	return [...CONTACT_TAGS, ...customColumns.keys()]
}

/** Returns a part of a name as a merge value: null when the part or the whole name is the person's own number. */
export function nameValue(part: string | null, { whole, number }: { whole: string; number: string }): string | null {
	return part === null || isSpellingOf(part, number) || isSpellingOf(whole, number) ? null : part
}

/** Formats for each kind of value. Texts are always written as typed. */
const SUITABLE = {
	number: ['typed', 'grouped', 'rupees'],
	date: ['day', 'slashes', 'typed'],
} as const satisfies Record<string, readonly Format[]>
export type ColumnKind = keyof typeof SUITABLE

export function formatsFor(kind: ColumnKind): readonly Format[] {
	return SUITABLE[kind]
}

/**
 * Numbers that are quantities. Excludes leading zeros, which mark codes, and more digits than a JavaScript number holds
 * exactly.
 */
const NUMBER = /^-?(?:0|[1-9]\d{0,11})(?:\.(\d{1,10}))?$/
/** Dates of workbook cells without a date format: 2026-11-25, 2026-11-25 17:45. */
const ISO_DATE = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?$/
/** Words that mark a column of amounts in rupees when its name contains one of them. */
export const MONEY_WORD =
	/^(amount|due|dues|bill|total|balance|price|fee|fees|emi|rent|cost|payment|paid|payable|outstanding|salary|mrp|rs|inr|rupee|rupees|₹)$/

/** Returns the kind that all values of a column have; null for texts and for an empty column. */
export function kindOf(values: readonly string[]): ColumnKind | null {
	if (values.length === 0) return null
	if (values.every((value) => NUMBER.test(value))) return 'number'
	return values.every((value) => instantOf(value) !== null) ? 'date' : null
}

/**
 * Returns the format of a custom field: the chosen one when it suits the field's type, else the default of the type.
 */
export function formatOfField(
	{ name, type }: { name: string; type: FieldType },
	chosen: Readonly<Record<string, Format>>,
): Format {
	const kind = kindOfField(type)
	if (kind === null) return 'typed'
	const format = Object.hasOwn(chosen, name) ? chosen[name] : undefined
	if (format !== undefined && formatsFor(kind).includes(format)) return format
	if (kind === 'date') return 'day'
	return wordsOf(name).some((word) => MONEY_WORD.test(word)) ? 'rupees' : 'grouped'
}

export function kindOfField(type: FieldType): ColumnKind | null {
	return type === 'number' || type === 'date' ? type : null
}

/** Returns the default format of a workbook's column. PIN codes and years keep their digits. */
export function usualFormat(kind: ColumnKind, name: string, values: readonly string[]): Format {
	if (kind === 'date') return values.every((value) => ISO_DATE.test(value)) ? 'day' : 'typed'
	if (wordsOf(name).some((word) => MONEY_WORD.test(word))) return 'rupees'
	return values.some((value) => value.includes('.')) ? 'grouped' : 'typed'
}

/** Splits a name into lower-case words: "dueDate" and "Due dates" start with the word "due". */
export function wordsOf(text: string): string[] {
	const words = text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.match(/₹|[\p{L}\p{M}\p{N}]+/gu)
	return words ?? []
}

/**
 * Formats a value for the preview and the stored message. A value that does not suit the format is returned unchanged.
 */
export function formatValue(value: string, format: Format): string {
	if (format === 'grouped' || format === 'rupees') return numberText(value, format)
	const at = format === 'typed' ? null : instantOf(value)
	if (at === null) return value
	const isTimed = value.includes(':')
	if (format === 'day') return isTimed ? formatDateTime(at) : formatDay(at)
	const [day = '', time = ''] = at.split(/[T+]/)
	return `${day.split('-').toReversed().join('/')}${isTimed ? ` ${time}` : ''}`
}

function numberText(value: string, format: 'grouped' | 'rupees'): string {
	const match = NUMBER.exec(value)
	if (!match) return value
	if (format === 'rupees') return formatRupees(Number(value))
	const digits = match[1]?.length ?? 0
	return Number(value).toLocaleString('en-IN', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Returns the instant in Indian time, such as 2026-11-25T00:00+05:30; null when the value is not a date. */
function instantOf(value: string): string | null {
	const [, iso, time = '00:00'] = ISO_DATE.exec(value) ?? []
	// A date with a time in another format is left as typed.
	const day = iso ?? (value.includes(':') ? null : readDay(value))
	const at = `${day}T${time}${INDIAN_UTC_OFFSET}`
	return day === null || Number.isNaN(Date.parse(at)) ? null : at
}

/** Reason why an order is refused, with the form field that it belongs to. */
export interface OrderProblem {
	field: string
	message: string
}

const STRAY_BRACES = 'has braces that form no merge tag. Write {{firstName}}, or {{firstName|friend}} with a fallback'

/**
 * Returns problems of the variables: missing values, values that Meta would refuse, and merge tags that the audience
 * does not have. Pass no tags for a chat, which has none.
 */
export function valueProblems(
	components: readonly Component[],
	variables: Variables,
	tags: readonly string[],
): OrderProblem[] {
	const tooLong = lengthError(components, variables)
	return [
		...slotsOf(components).flatMap((slot) => when(`variables.${slot.key}`, slotProblem(slot) || endProblem(slot))),
		...(tooLong ? when(`variables.${tooLong.key}`, tooLong.message) : []),
	]

	/** Returns the error of a link ending or code that is the same for every recipient; false when it fits. */
	function endProblem(slot: Slot): string | false {
		const part = filledParts(components, variables).find(
			({ key, place }) => key === slot.key && (place === 'link' || place === 'code'),
		)
		if (!part || part.pieces.some((piece) => 'tag' in piece) || fits(part, () => null)) return false
		return `${slotLabel(slot, components)} ${endFault(part)}`
	}

	function slotProblem(slot: Slot): string | false {
		const value = (variables[slot.key] ?? '').trim()
		const error = valueError(value)
		if (error) return `${slotLabel(slot, components)} ${error}`
		const unknown = parseValue(value).find((piece) => 'tag' in piece && findTag(piece.tag, tags) === undefined)
		const isStray = hasStrayTagBraces(value)
		if (isFixed(slot)) {
			if (/\{\{|\}\}/.test(value))
				return `${slotLabel(slot, components)} is the same for everyone: it may hold no {{…}}`
			const fault = fixedFault(slot, value, Date.now())
			return fault !== null && `${slotLabel(slot, components)} ${fault}`
		}
		if (tags.length === 0 && (unknown || isStray)) return `${slotLabel(slot, components)} may hold no {{…}}`
		if (isStray) return `${slotLabel(slot, components)} ${STRAY_BRACES}`
		if (!unknown || !('tag' in unknown)) return false
		return `The recipients have no “${unknown.tag}”. Use ${listed(tags)}`
	}
}

function endFault({ place, base, max }: FilledPart): string {
	if (place === 'code') return `has more than ${max} characters`
	return `cannot follow ${base}: enter what comes after it, without spaces`
}

/**
 * Returns a problem for each tag without a fallback for which some recipients have no value. `gaps` has the number of
 * such recipients by tag.
 */
export function gapProblems(variables: Variables, gaps: Readonly<Record<string, number>>): OrderProblem[] {
	return Object.entries(variables).flatMap(([key, value]) =>
		tagsWithoutFallback({ value }).flatMap((tag) => {
			const count = gapOf(gaps, tag)
			return count > 0 ? [{ field: `variables.${key}`, message: missingValues(tag, count) }] : []
		}),
	)
}

/**
 * Returns the number of recipients without a value for the tag. `Object.hasOwn` guards against tags such as
 * "constructor".
 */
export function gapOf(gaps: Readonly<Record<string, number>>, tag: string): number {
	return Object.hasOwn(gaps, tag) ? (gaps[tag] ?? 0) : 0
}

export function missingValues(tag: string, recipients: number): string {
	const name = CONTACT_FIELDS.get(tag)?.toLowerCase() ?? tag
	return `${plural(recipients, 'person has', 'people have')} no ${name}. Type what they should read instead, e.g. friend.`
}

const CONTACT_FIELDS: ReadonlyMap<string, string> = new Map([
	['firstName', 'First name'],
	['lastName', 'Last name'],
	['number', 'Phone number'],
])

/** Returns the name of a merge tag on screen: words for a field of contacts, the column's own name for a file. */
export function tagLabel(tag: string): string {
	return CONTACT_FIELDS.get(tag) ?? tag
}

const MAX_LISTED = 6

function listed(tags: readonly string[]): string {
	const shown = tags.slice(0, MAX_LISTED)
	return shown.join(', ') + (tags.length > MAX_LISTED ? ' or another column' : '')
}

/** Returns the problem as a list of one, or an empty list when there is no message. */
export function when(field: string, message: string | false): OrderProblem[] {
	return message === false ? [] : [{ field, message }]
}
