import { isControlGroupPercent, PERCENT_INVALID } from '#features/audiences/rules.ts'
import { when, type OrderProblem } from '#features/audiences/values.ts'
import type { AudienceType } from '#features/delivery/rules.ts'
import { isQuiet, type QuietHours } from '#features/limits/rules.ts'
import type { Component } from '#features/templates/contract.ts'
import { unsendablePart } from '#features/templates/values.ts'
import { LATEST_TIME } from '#lib/dates.ts'

/** The start of a campaign. */
export interface Opening {
	schedule: 'now' | 'later'
	/** Milliseconds since 1970; null for a time that is not chosen or cannot be read. */
	opensAt: number | null
}

/** The form of a campaign as filled in. */
export interface Order extends Opening {
	name: string
	/** Empty while no template is chosen. */
	templateId: string
	audienceType: AudienceType
	selectedGroup?: string | undefined
	segmentId?: string | undefined
	hasFile: boolean
	/** Empty without a control group. */
	holdOutPercent?: number | string | undefined
}

/**
 * Returns the problems of a form in the specification's order, for form and server. Problems of the template come after
 * them.
 */
export function orderProblems(order: Order): OrderProblem[] {
	const { name, templateId, audienceType, selectedGroup, segmentId, hasFile, holdOutPercent = '' } = order
	const isWrongPart = holdOutPercent !== '' && !isControlGroupPercent(holdOutPercent)
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

/** Returns the problem of a daily start within quiet hours, in which no message would be sent. */
export function dailyStartProblems(dailyStart: string | undefined, quiet: QuietHours | null): OrderProblem[] {
	if (!dailyStart || !quiet || !isQuiet(dailyStart, quiet)) return []
	const hours = `${quiet.from} to ${quiet.until}`
	const message = `${dailyStart} is within your quiet hours (${hours}). Choose another time, or change the quiet hours in Settings.`
	return [{ field: 'dailyStart', message }]
}

/** Milliseconds in the past that still count as now: the present minute may be chosen. */
const TOLERANCE_MS = 60_000

export function openingProblems({ schedule, opensAt }: Opening): OrderProblem[] {
	const field = 'scheduleDatetime'
	if (schedule === 'now') return []
	if (opensAt === null) return [{ field, message: 'Please select schedule date and time' }]
	return [
		...when(field, opensAt < Date.now() - TOLERANCE_MS && 'The scheduled time has already passed'),
		...when(field, opensAt >= LATEST_TIME && 'Please select a date before the year 2100'),
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
