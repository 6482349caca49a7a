import * as z from 'zod/mini'
import { Time } from '#lib/fields.ts'

const MIN_PERCENT = 1
const MAX_PERCENT = 50
export const PERCENT_INVALID = `A test group has ${MIN_PERCENT} to ${MAX_PERCENT} percent`

/** Returns true for a `ControlGroupPercent`. Works in the browser before the schemas have loaded. */
export function isControlGroupPercent(percent: unknown): percent is number {
	return Number.isInteger(percent) && Number(percent) >= MIN_PERCENT && Number(percent) <= MAX_PERCENT
}

/** Percentage of an audience for the control group, which gets no message. */
export const ControlGroupPercent = z
	.int({ error: PERCENT_INVALID })
	.check(z.minimum(MIN_PERCENT, PERCENT_INVALID), z.maximum(MAX_PERCENT, PERCENT_INVALID))

/** Days after a campaign's start in which clicks are compared. Replies are compared for `REPLY_HOURS`. */
export const CONTROL_GROUP_DAYS = 7

/**
 * Results of a control group and of the campaign's recipients: people who replied (`wrote`) or clicked any counted
 * link. For the control group, the campaign's start counts as the time of the message.
 */
export const ControlGroup = z.object({
	people: z.int(),
	wrote: z.int(),
	clicked: z.int(),
	recipientsWrote: z.int(),
	recipientsClicked: z.int(),
	/** Null before the first count. */
	countedAt: z.nullable(Time),
})
export type ControlGroup = z.output<typeof ControlGroup>

/** Returns the size of the control group, rounded down: zero for a small audience, never the whole audience. */
export function controlGroupSize(audience: number, percent: number | null | undefined): number {
	return Math.floor((audience * (percent ?? 0)) / 100)
}

/** Number of people with an outcome, out of a number of people. */
export interface Part {
	count: number
	of: number
}

/** Expected outcomes below which two groups are too small to compare. */
const MIN_EXPECTED = 5
/** Critical value of the two-sided test at 5 percent: chance alone exceeds it once in twenty comparisons. */
const CRITICAL_SCORE = 1.96

/**
 * Compares the rates of two random groups by the test of two proportions. Returns `chance` when the difference is not
 * significant.
 */
export function compareParts(first: Part, second: Part): 'too few' | 'more' | 'fewer' | 'chance' {
	const rate = (first.count + second.count) / (first.of + second.of)
	const smaller = Math.min(first.of, second.of)
	if (!(smaller * Math.min(rate, 1 - rate) >= MIN_EXPECTED)) return 'too few'
	const deviation = Math.sqrt(rate * (1 - rate) * (1 / first.of + 1 / second.of))
	const score = (first.count / first.of - second.count / second.of) / deviation
	return score > CRITICAL_SCORE ? 'more' : score < -CRITICAL_SCORE ? 'fewer' : 'chance'
}
