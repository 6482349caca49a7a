import { parseValue, slotLabel, slotsOf, unsendablePart, valueError, CONTACT_TAGS } from '#features/campaigns/rules.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { INDIAN_UTC_OFFSET } from '#lib/dates.ts'

/** What the form of a new campaign holds. Date and time are Indian, whatever the browser's own zone is. */
export interface CampaignFields {
	name: string
	description: string
	templateId: string
	variables: Record<string, string>
	audienceType: 'all' | 'group' | 'file'
	selectedGroup: string
	schedule: 'now' | 'later'
	date: string
	time: string
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
}

/** One empty entry per place that the template leaves open. */
export function emptyVariables(template: TemplateRow): Record<string, string> {
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, '']))
}

/** A field that keeps the campaign from being sent, and what is said about it. */
export interface FieldError {
	path: string
	message: string
}

/** The first error, in the order in which the form is checked; null when it can be sent. */
export function firstError(fields: CampaignFields, template: TemplateRow | undefined): FieldError | null {
	if (!fields.name.trim()) return { path: 'name', message: 'Campaign name is required' }
	if (!template) return { path: 'templateId', message: 'Please select a template' }
	if (fields.audienceType === 'group' && !fields.selectedGroup)
		return { path: 'selectedGroup', message: 'Please select a group' }
	if (fields.audienceType === 'file') return { path: 'audienceType', message: 'Please upload a contact file' }
	if (fields.schedule === 'later' && !(fields.date && fields.time))
		return { path: fields.date ? 'time' : 'date', message: 'Please select schedule date and time' }
	return templateError(template) ?? variableError(fields, template) ?? pastError(fields)
}

function templateError({ needsHeaderFile, components }: TemplateRow): FieldError | null {
	const path = 'templateId'
	const part = unsendablePart(components)
	if (part !== null) return { path, message: `This template has ${part}, which campaigns cannot send` }
	return needsHeaderFile ? { path, message: 'Please upload the header file of this template first' } : null
}

function variableError(fields: CampaignFields, { components }: TemplateRow): FieldError | null {
	for (const slot of slotsOf(components)) {
		const value = fields.variables[slot.key] ?? ''
		const path = `variables.${slot.key}`
		const error = valueError(value)
		if (error) return { path, message: `${slotLabel(slot, components)} ${error}` }
		const unknown = parseValue(value).find((piece) => 'tag' in piece && !isKnownTag(piece.tag))
		if (unknown && 'tag' in unknown) {
			const known = CONTACT_TAGS.map((tag) => `{{${tag}}}`).join(', ')
			return { path, message: `{{${unknown.tag}}} is not known. Use ${known}` }
		}
	}
	return null
}

function isKnownTag(tag: string): boolean {
	return (CONTACT_TAGS as readonly string[]).includes(tag)
}

function pastError(fields: CampaignFields): FieldError | null {
	const at = opensAt(fields)
	if (!at || Date.parse(at) > Date.now() - 60_000) return null
	return { path: 'time', message: 'The scheduled time has already passed' }
}

/** The chosen moment as the server reads it, without its zone; null while it is not chosen. */
export function scheduleDatetime({ schedule, date, time }: CampaignFields): string | null {
	return schedule === 'later' && date && time ? `${date}T${time}:00` : null
}

/** The chosen moment with India's offset; null for "now". */
export function opensAt(fields: CampaignFields): string | null {
	const local = scheduleDatetime(fields)
	return local && `${local}${INDIAN_UTC_OFFSET}`
}
