import type { Component } from '#features/templates/contract.ts'
import {
	lengthError,
	parseValue,
	slotLabel,
	slotsOf,
	tagsWithoutFallback,
	unsendablePart,
	valueError,
	type Slot,
	type Variables,
} from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { AudienceType } from './form-fields.ts'
import { HoldOutPercent, PERCENT_INVALID } from './hold-out.ts'

/** What keeps a campaign from being ordered, and at which field. */
export interface OrderProblem {
	field: string
	message: string
}

/** When a campaign starts. */
export interface Opening {
	schedule: 'now' | 'later'
	/** In milliseconds since 1970; null while it is not chosen, or cannot be read. */
	opensAt: number | null
}

/** A campaign as its form is filled in. */
export interface Order extends Opening {
	name: string
	/** Empty while none is chosen. */
	templateId: string
	audienceType: AudienceType
	selectedGroup?: string | undefined
	segmentId?: string | undefined
	hasFile: boolean
	/** Empty where nobody is kept out. */
	holdOutPercent?: number | string | undefined
}

/** Why a campaign cannot be ordered, for form and server, in the specification's order. What its template asks for comes after this. */
export function orderProblems(order: Order): OrderProblem[] {
	const { name, templateId, audienceType, selectedGroup, segmentId, hasFile, holdOutPercent = '' } = order
	const isWrongPart = holdOutPercent !== '' && !HoldOutPercent.safeParse(holdOutPercent).success
	return [
		...when('name', !name.trim() && 'Campaign name is required'),
		...when('templateId', !templateId && 'Please select a template'),
		...when('selectedGroup', audienceType === 'group' && !selectedGroup && 'Please select a group'),
		...when('segmentId', audienceType === 'segment' && !segmentId && 'Please select a segment'),
		...when('file', audienceType === 'file' && !hasFile && 'Please upload a contact file'),
		...when('holdOutPercent', isWrongPart && PERCENT_INVALID),
		...openingProblems(order),
	]
}

/** Whoever has just chosen the present minute means now. */
const TOLERANCE_MS = 60_000
/** A later year is a typing error, and years of five digits have no place in the replies. */
const LATEST = Date.UTC(2099, 11, 31, 18, 30)

export function openingProblems({ schedule, opensAt }: Opening): OrderProblem[] {
	const field = 'scheduleDatetime'
	if (schedule === 'now') return []
	if (opensAt === null) return [{ field, message: 'Please select schedule date and time' }]
	return [
		...when(field, opensAt < Date.now() - TOLERANCE_MS && 'The scheduled time has already passed'),
		...when(field, opensAt >= LATEST && 'Please select a date before the year 2100'),
	]
}

interface Sendable {
	components: readonly Component[]
	needsHeaderFile: boolean
}

export function templateProblems({ components, needsHeaderFile }: Sendable): OrderProblem[] {
	const part = unsendablePart(components)
	return [
		...when('templateId', part !== null && `This template has ${part}, which cannot be sent from here`),
		...when('templateId', needsHeaderFile && 'Please upload the header file of this template first'),
	]
}

/** The values that are missing, that Meta would refuse, or that use a tag which the audience does not have; one in a chat has none. */
export function valueProblems(
	components: readonly Component[],
	variables: Variables,
	tags: readonly string[],
): OrderProblem[] {
	const tooLong = lengthError(components, variables)
	return [
		...slotsOf(components).flatMap((slot) => when(`variables.${slot.key}`, slotProblem(slot))),
		...(tooLong ? when(`variables.${tooLong.key}`, tooLong.message) : []),
	]

	function slotProblem(slot: Slot): string | false {
		const value = (variables[slot.key] ?? '').trim()
		const error = valueError(value)
		if (error) return `${slotLabel(slot, components)} ${error}`
		const unknown = parseValue(value).find((piece) => 'tag' in piece && !tags.includes(piece.tag))
		if (!unknown || !('tag' in unknown)) return false
		if (tags.length === 0) return `${slotLabel(slot, components)} may hold no {{…}}`
		return `{{${unknown.tag}}} is not known. Use ${listed(tags)}`
	}
}

/** The values that some recipients would get without a part, as they have nothing for a tag; `gaps` is how many, by tag. */
export function gapProblems(variables: Variables, gaps: Readonly<Record<string, number>>): OrderProblem[] {
	return Object.entries(variables).flatMap(([key, value]) =>
		tagsWithoutFallback({ value }).flatMap((tag) => {
			const count = gapOf(gaps, tag)
			return count > 0 ? [{ field: `variables.${key}`, message: missingValues(tag, count) }] : []
		}),
	)
}

/** A column may be called "constructor". */
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

function when(field: string, message: string | false): OrderProblem[] {
	return message === false ? [] : [{ field, message }]
}
