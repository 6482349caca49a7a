import type { Component } from '#features/templates/contract.ts'
import { filledParts, fits, type FilledPart } from '#features/templates/filled.ts'
import {
	findTag,
	hasStrayTagBraces,
	lengthError,
	parseValue,
	slotLabel,
	slotsOf,
	tagsWithoutFallback,
	valueError,
	type Slot,
	type Variables,
} from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'

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
		if (tags.length === 0 && (unknown || isStray)) return `${slotLabel(slot, components)} may hold no {{…}}`
		if (isStray) return `${slotLabel(slot, components)} ${STRAY_BRACES}`
		if (!unknown || !('tag' in unknown)) return false
		return `{{${unknown.tag}}} is not known. Use ${listed(tags)}`
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
	return `${plural(recipients, 'recipient has', 'recipients have')} no ${tag}. Give a fallback, such as {{${tag}|friend}}`
}

const MAX_LISTED = 6

function listed(tags: readonly string[]): string {
	const shown = tags.slice(0, MAX_LISTED).map((tag) => `{{${tag}}}`)
	return shown.join(', ') + (tags.length > MAX_LISTED ? ' or another column' : '')
}

/** Returns the problem as a list of one, or an empty list when there is no message. */
export function when(field: string, message: string | false): OrderProblem[] {
	return message === false ? [] : [{ field, message }]
}
