import {
	CONTACT_TAGS,
	lengthError,
	parseValue,
	slotLabel,
	slotsOf,
	unsendablePart,
	valueError,
} from '#features/campaigns/rules.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { INDIAN_UTC_OFFSET, indianClock, indianDay } from '#lib/dates.ts'

/** When a campaign starts. Date and time are Indian, whatever the browser's own zone is. */
export interface TimingFields {
	schedule: 'now' | 'later'
	date: string
	time: string
}

/** The fields of a new campaign's form, without the file. */
export interface CampaignFields extends TimingFields {
	name: string
	description: string
	templateId: string
	variables: Record<string, string>
	audienceType: 'all' | 'group' | 'file'
	selectedGroup: string
	/** Messages that WhatsApp holds back are tried again. */
	retryHeldBack: boolean
}

export const EMPTY_FIELDS: CampaignFields = {
	name: '',
	description: '',
	templateId: '',
	variables: {},
	audienceType: 'all',
	selectedGroup: '',
	schedule: 'now',
	date: '',
	time: '',
	retryHeldBack: false,
}

/** One empty entry per place that the template leaves open. */
export function emptyVariables(template: Pick<TemplateRow, 'components'>): Record<string, string> {
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, '']))
}

/** A field that keeps the campaign from being sent, and what is said about it. */
export interface FieldError {
	path: string
	message: string
}

/** What the rules need besides the fields. */
export interface FormFacts {
	template: TemplateRow | undefined
	hasFile: boolean
	/** The merge tags that the audience has. */
	tags: readonly string[]
}

/** The first error, in the order in which the form is checked; null when it can be sent. */
export function firstError(fields: CampaignFields, { template, hasFile, tags }: FormFacts): FieldError | null {
	if (!fields.name.trim()) return { path: 'name', message: 'Campaign name is required' }
	if (!template) return { path: 'templateId', message: 'Please select a template' }
	if (fields.audienceType === 'group' && !fields.selectedGroup)
		return { path: 'selectedGroup', message: 'Please select a group' }
	if (fields.audienceType === 'file' && !hasFile) return { path: 'file', message: 'Please upload a contact file' }
	return (
		missingTime(fields) ??
		templateError(template) ??
		variableError(fields.variables, template, tags) ??
		pastError(fields)
	)
}

function templateError({ needsHeaderFile, components }: TemplateRow): FieldError | null {
	const path = 'templateId'
	const part = unsendablePart(components)
	if (part !== null) return { path, message: `This template has ${part}, which cannot be sent from here` }
	return needsHeaderFile ? { path, message: 'Please upload the header file of this template first' } : null
}

export function missingTime({ schedule, date, time }: TimingFields): FieldError | null {
	if (schedule === 'now' || (date && time)) return null
	return { path: date ? 'time' : 'date', message: 'Please select schedule date and time' }
}

/** The first variable that is not filled in, or in a way that cannot be sent. */
export function variableError(
	variables: Record<string, string>,
	{ components }: Pick<TemplateRow, 'components'>,
	tags: readonly string[],
): FieldError | null {
	for (const slot of slotsOf(components)) {
		const value = variables[slot.key] ?? ''
		const path = `variables.${slot.key}`
		const error = valueError(value)
		if (error) return { path, message: `${slotLabel(slot, components)} ${error}` }
		const unknown = parseValue(value).find((piece) => 'tag' in piece && !tags.includes(piece.tag))
		if (unknown && 'tag' in unknown) return { path, message: `{{${unknown.tag}}} is not known. Use ${listed(tags)}` }
	}
	const tooLong = lengthError(components, variables)
	return tooLong && { path: `variables.${tooLong.key}`, message: tooLong.message }
}

const MAX_LISTED = 6

function listed(tags: readonly string[]): string {
	const shown = tags.slice(0, MAX_LISTED).map((tag) => `{{${tag}}}`)
	return shown.join(', ') + (tags.length > MAX_LISTED ? ' or another column' : '')
}

/** Whoever has just chosen the present minute means now. */
const TOLERANCE_MS = 60_000

export function pastError(fields: TimingFields): FieldError | null {
	const at = opensAt(fields)
	if (!at || Date.parse(at) > Date.now() - TOLERANCE_MS) return null
	return { path: 'time', message: 'The scheduled time has already passed' }
}

/** The chosen moment as the server reads it, without its zone; null while it is not chosen. */
export function scheduleDatetime({ schedule, date, time }: TimingFields): string | null {
	return schedule === 'later' && date && time ? `${date}T${time}:00` : null
}

/** The chosen moment with India's offset; null for "now". */
export function opensAt(fields: TimingFields): string | null {
	const local = scheduleDatetime(fields)
	return local && `${local}${INDIAN_UTC_OFFSET}`
}

/** The fields of a moment that was chosen before. */
export function timingOf(iso: string): TimingFields {
	const at = Date.parse(iso)
	return { schedule: 'later', date: indianDay(at), time: indianClock(at) }
}

/** The merge tags of an audience that is not a file. */
export const STANDARD_TAGS: readonly string[] = CONTACT_TAGS
