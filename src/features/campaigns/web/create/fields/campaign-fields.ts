import type { Format } from '#features/audiences/contract.ts'
import { gapProblems, valueProblems, type OrderProblem } from '#features/audiences/values.ts'
import { openingProblems, orderProblems, templateProblems } from '#features/campaigns/order-checks.ts'
import type { RecipientOrder } from '#features/delivery/contract.ts'
import type { AudienceType } from '#features/delivery/rules.ts'
import type { FileChoice } from '#features/header-files/match-contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { CONTACT_TAGS, slotsOf, withKnownTags } from '#features/templates/values.ts'
import { INDIAN_UTC_OFFSET, indianClock, indianDay, spellClock, spellDay } from '#lib/dates.ts'

/** The name of the draft of a test message. */
export const TEST_DRAFT = 'test-send'

/** The start of a campaign. Date and time are Indian, whatever the zone of the browser. */
export interface TimingFields {
	schedule: 'now' | 'later'
	date: string
	time: string
}

/** The fields of the form that creates a campaign. */
export interface CampaignFields extends TimingFields {
	name: string
	description: string
	templateId: string
	variables: Record<string, string>
	/** The chosen formats of a file's columns or of custom fields, by name. */
	formats: Record<string, Format>
	/** The header file of each person; null for one file for everybody. */
	headerFiles: FileChoice | null
	audienceType: AudienceType
	selectedGroup: string
	segmentId: string
	/** Percentage of the control group; empty without one. */
	holdOutPercent: number | string
	recipientOrder: RecipientOrder
	/** The time in India from which a campaign of several days continues on each day; empty for any time. */
	dailyStart: string
}

export const EMPTY_FIELDS: CampaignFields = {
	name: '',
	description: '',
	templateId: '',
	variables: {},
	formats: {},
	headerFiles: null,
	audienceType: 'all',
	selectedGroup: '',
	segmentId: '',
	holdOutPercent: '',
	recipientOrder: 'list',
	dailyStart: '',
	schedule: 'now',
	date: '',
	time: '',
}

/** Returns an empty value for each variable of the template. */
export function emptyVariables(template: Pick<TemplateRow, 'components'>): Record<string, string> {
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, '']))
}

/** The facts, besides the fields, that the checks need. */
export interface FormFacts {
	template: TemplateRow | undefined
	hasFile: boolean
	/** The merge tags of the audience. */
	tags: readonly string[]
	/** Number of recipients without a value, by tag. */
	gaps: Readonly<Record<string, number>>
}

/** Returns the problems that keep the form from being sent, in the order of the checks. */
export function formProblems(fields: CampaignFields, { template, hasFile, tags, gaps }: FormFacts): OrderProblem[] {
	const order = { ...fields, templateId: template ? fields.templateId : '', hasFile, opensAt: openingOf(fields) }
	return [
		...orderProblems(order).map((problem) => atItsInput(problem, fields)),
		...(template ? templateProblems(template) : []),
		...(fields.headerFiles?.set === '' ? [{ field: 'headerFiles', message: 'Please upload the files' }] : []),
		...(template ? valueProblems(template.components, fields.variables, tags) : []),
		...gapProblems(withKnownTags(fields.variables, tags), gaps),
	]
}

export function timingProblems(fields: TimingFields): OrderProblem[] {
	const opening = { schedule: fields.schedule, opensAt: openingOf(fields) }
	return openingProblems(opening).map((problem) => atItsInput(problem, fields))
}

/** Moves a problem of the start to the date or the time, because the form has an input for each. */
function atItsInput({ field, message }: OrderProblem, { date }: TimingFields): OrderProblem {
	return { field: field === 'scheduleDatetime' ? (date ? 'time' : 'date') : field, message }
}

function openingOf(fields: TimingFields): number | null {
	const at = opensAt(fields)
	return at && Date.parse(at) ? Date.parse(at) : null
}

/** Returns the chosen time without a zone, such as 2026-11-26T10:30:00; null for "now", and while date or time is empty. */
export function scheduleDatetime({ schedule, date, time }: TimingFields): string | null {
	return schedule === 'later' && date && time ? `${date}T${time}:00` : null
}

/** Returns the chosen time with India's offset; null for "now", and while date or time is empty. */
export function opensAt(fields: TimingFields): string | null {
	const local = scheduleDatetime(fields)
	return local && `${local}${INDIAN_UTC_OFFSET}`
}

/** Returns the timing fields for an ISO time, as date and time in India. */
export function timingOf(iso: string): TimingFields {
	const at = Date.parse(iso)
	return { schedule: 'later', date: indianDay(at), time: indianClock(at) }
}

/** Returns the chosen date and time with the name of the month, because a browser may show the month before the day. */
export function spell({ date, time }: TimingFields): string {
	const day = spellDay(date)
	return day && time ? `${day}, ${spellClock(time)} IST` : day
}

/** Returns the choices that differ from the default, in words. */
export function changedChoices({ holdOutPercent, recipientOrder, dailyStart }: CampaignFields): string[] {
	return [
		...(holdOutPercent === '' ? [] : [`test group ${holdOutPercent}%`]),
		...(recipientOrder === 'engaged' ? ['readers first'] : []),
		...(dailyStart === '' ? [] : [`each day from ${dailyStart}`]),
	]
}

/** Returns the merge tags of contacts, with the account's custom fields. */
export function tagsOfContacts(own: readonly { name: string }[]): string[] {
	return [...CONTACT_TAGS, ...own.map(({ name }) => name)]
}
