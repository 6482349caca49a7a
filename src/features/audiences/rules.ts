import * as z from 'zod/mini'
import { MAX_VALUE_LENGTH } from '#features/contacts/custom-fields.ts'
import { Id, OptionalId, Required, Text, Time } from '#lib/fields.ts'

/** Maximum rules of a segment. */
export const MAX_RULES = 20
export const MAX_SEGMENTS = 200
/** Maximum days of a rule: two years, the longest time for which recipients are retained. */
const MAX_DAYS = 730

const Days = z.int().check(z.gte(1), z.lte(MAX_DAYS))
const Is = z.boolean()

/**
 * Operators of field rules. Texts also take `contains`, and are compared without case; the other types also take
 * `atLeast` and `atMost`.
 */
export const OPERATORS = ['is', 'isNot', 'contains', 'atLeast', 'atMost', 'filled', 'empty'] as const
export type Operator = (typeof OPERATORS)[number]

/** Returns the schema of a rule about activity: in one campaign or in any, in the last `days` or ever. */
const done = <const K extends string>(kind: K) =>
	z.object({ kind: z.literal(kind), is: Is, campaign: OptionalId, days: z.optional(Days) })

/**
 * Schema of each kind of rule; `is: false` negates a rule. A new kind also needs a condition in
 * `server/segments/rule-queries.ts` and inputs in `web/segments/rule-inputs.tsx`; the compiler reports missing ones.
 */
export const RULE_KINDS = {
	tag: z.object({ kind: z.literal('tag'), is: Is, tag: Id }),
	field: z
		.object({
			kind: z.literal('field'),
			field: Id,
			operator: z.enum(OPERATORS),
			/** Value as stored: 1250.5, 2026-11-25, yes. */
			value: Text(MAX_VALUE_LENGTH),
		})
		.check(
			z.refine(({ operator, value }) => operator === 'filled' || operator === 'empty' || value.trim() !== '', {
				path: ['value'],
				error: 'Say what the field is compared with',
			}),
		),
	group: z.object({ kind: z.literal('group'), is: Is, group: Id }),
	/** Contact added within the last `days`; negated, added before. */
	added: z.object({ kind: z.literal('added'), is: Is, days: Days }),
	/** Calling code without the plus. */
	country: z.object({
		kind: z.literal('country'),
		is: Is,
		code: Text(3, { tooLong: 'Not a calling code' }).check(z.regex(/^[1-9]\d{0,2}$/, 'Not a calling code')),
	}),
	optedOut: z.object({ kind: z.literal('optedOut'), is: Is }),
	neverWritten: z.object({ kind: z.literal('neverWritten'), is: Is }),
	received: done('received'),
	read: done('read'),
	replied: done('replied'),
	clicked: done('clicked'),
	/** Contact received this campaign and clicked none of its links. */
	didNotClick: z.object({ kind: z.literal('didNotClick'), campaign: Id }),
} as const

export type RuleKind = keyof typeof RULE_KINDS
export type RuleOf<K extends RuleKind> = z.output<(typeof RULE_KINDS)[K]>
export type Rule = { [K in RuleKind]: RuleOf<K> }[RuleKind]

const Rule = z.discriminatedUnion('kind', [
	RULE_KINDS.tag,
	...Object.values(RULE_KINDS).filter((shape) => shape !== RULE_KINDS.tag),
])

/** Rules of a segment. A contact must match all or any of them. */
export const Rules = {
	match: z.enum(['all', 'any']),
	rules: z
		.array(Rule, 'Add at least one rule')
		.check(z.minLength(1, 'Add at least one rule'), z.maxLength(MAX_RULES, `At most ${MAX_RULES} rules`)),
}
export interface SegmentRules {
	match: 'all' | 'any'
	rules: readonly Rule[]
}

export const SegmentBody = z.object({ name: Required('Name is required', 100), ...Rules })

const MAX_PERCENT = 50
export const PERCENT_INVALID = `Keep out 1 to ${MAX_PERCENT} percent`

/** Percentage of an audience for the control group, which gets no message. */
export const ControlGroupPercent = z
	.int({ error: PERCENT_INVALID })
	.check(z.minimum(1, PERCENT_INVALID), z.maximum(MAX_PERCENT, PERCENT_INVALID))

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
