import * as z from 'zod/mini'
import { Time } from '#lib/fields.ts'

const MAX_PERCENT = 50
export const PERCENT_INVALID = `Keep out 1 to ${MAX_PERCENT} percent`

/** How much of an audience gets nothing, so that it can be compared with the rest. */
export const HoldOutPercent = z
	.int({ error: PERCENT_INVALID })
	.check(z.minimum(1, PERCENT_INVALID), z.maximum(MAX_PERCENT, PERCENT_INVALID))

/** Days after a campaign's start in which clicks are compared; replies have `REPLY_HOURS`. */
export const HOLD_OUT_DAYS = 7

/**
 * People who were kept out of a campaign, and how many of them and of its recipients replied (`wrote`), or clicked any counted
 * link. Recipients reply as everywhere; those kept out as if the message had arrived at the start of the campaign.
 */
export const HeldOut = z.object({
	people: z.int(),
	wrote: z.int(),
	clicked: z.int(),
	recipientsWrote: z.int(),
	recipientsClicked: z.int(),
	/** Null before the first time. */
	countedAt: z.nullable(Time),
})
export type HeldOut = z.output<typeof HeldOut>

/** How many of an audience are kept out; of a small one nobody, but never all. */
export function heldOutOf(audience: number, percent: number | null | undefined): number {
	return Math.floor((audience * (percent ?? 0)) / 100)
}

/** How many of some people did something. */
export interface Part {
	count: number
	of: number
}

/** Fewer that are to be expected in either group say nothing. */
const MIN_EXPECTED = 5
/** Beyond it, chance alone makes a difference as large once in twenty times. */
const CRITICAL_SCORE = 1.96

/** What two groups chosen by chance say of what was done to the first: the test of two proportions. */
export function compareParts(first: Part, second: Part): 'too few' | 'more' | 'fewer' | 'chance' {
	const rate = (first.count + second.count) / (first.of + second.of)
	const smaller = Math.min(first.of, second.of)
	if (!(smaller * Math.min(rate, 1 - rate) >= MIN_EXPECTED)) return 'too few'
	const deviation = Math.sqrt(rate * (1 - rate) * (1 / first.of + 1 / second.of))
	const score = (first.count / first.of - second.count / second.of) / deviation
	return score > CRITICAL_SCORE ? 'more' : score < -CRITICAL_SCORE ? 'fewer' : 'chance'
}
