import type { AudienceType } from '#features/audiences/contract.ts'
import type { Format } from '#features/audiences/recipient-values.ts'
import { gapProblems, valueProblems, type OrderProblem } from '#features/audiences/value-problems.ts'
import { openingProblems, orderProblems, templateProblems } from '#features/campaigns/order-checks.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { CONTACT_TAGS, slotsOf, withKnownTags } from '#features/templates/values.ts'
import { INDIAN_UTC_OFFSET, indianClock, indianDay } from '#lib/dates.ts'

/** The draft of a test message, and its dialog. */
export const TEST_DRAFT = 'test-send'

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
	/** How the columns of a file are written, by their names, where that was chosen. */
	formats: Record<string, Format>
	audienceType: AudienceType
	selectedGroup: string
	segmentId: string
	/** How many percent are kept out; empty for nobody. */
	holdOutPercent: number | string
	/** Messages that WhatsApp holds back are tried again. */
	retryHeldBack: boolean
}

export const EMPTY_FIELDS: CampaignFields = {
	name: '',
	description: '',
	templateId: '',
	variables: {},
	formats: {},
	audienceType: 'all',
	selectedGroup: '',
	segmentId: '',
	holdOutPercent: '',
	schedule: 'now',
	date: '',
	time: '',
	retryHeldBack: false,
}

/** One empty entry per place that the template leaves open. */
export function emptyVariables(template: Pick<TemplateRow, 'components'>): Record<string, string> {
	return Object.fromEntries(slotsOf(template.components).map(({ key }) => [key, '']))
}

/** What the checks need besides the fields. */
export interface FormFacts {
	template: TemplateRow | undefined
	hasFile: boolean
	/** The merge tags that the audience has. */
	tags: readonly string[]
	/** How many recipients have nothing for a tag. */
	gaps: Readonly<Record<string, number>>
}

/** What keeps the form from being sent, in the order in which it is checked. */
export function formProblems(fields: CampaignFields, { template, hasFile, tags, gaps }: FormFacts): OrderProblem[] {
	const order = { ...fields, templateId: template ? fields.templateId : '', hasFile, opensAt: openingOf(fields) }
	return [
		...orderProblems(order).map((problem) => atItsInput(problem, fields)),
		...(template ? templateProblems(template) : []),
		...(template ? valueProblems(template.components, fields.variables, tags) : []),
		...gapProblems(withKnownTags(fields.variables, tags), gaps),
	]
}

export function timingProblems(fields: TimingFields): OrderProblem[] {
	const opening = { schedule: fields.schedule, opensAt: openingOf(fields) }
	return openingProblems(opening).map((problem) => atItsInput(problem, fields))
}

/** The moment has two inputs. */
function atItsInput({ field, message }: OrderProblem, { date }: TimingFields): OrderProblem {
	return { field: field === 'scheduleDatetime' ? (date ? 'time' : 'date') : field, message }
}

function openingOf(fields: TimingFields): number | null {
	const at = opensAt(fields)
	return at && Date.parse(at) ? Date.parse(at) : null
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

/** The merge tags that every contact has. */
export const STANDARD_TAGS: readonly string[] = CONTACT_TAGS

/** Those of an audience that is not a file. */
export function tagsOfContacts(own: readonly { name: string }[]): string[] {
	return [...CONTACT_TAGS, ...own.map(({ name }) => name)]
}
