import * as z from 'zod/mini'
import { ContactRow } from '#features/contacts/contract.ts'
import { MAX_VALUE_LENGTH } from '#features/contacts/custom-fields.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, OptionalId, Required, RowId, Text, Time } from '#lib/fields.ts'

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
 * `server/segments/rule-queries.ts` and inputs in `segments/web/rule-inputs.tsx`; the compiler reports missing ones.
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
			/** True for `atLeast` as more than, and `atMost` as less than. Other operators ignore it. */
			isStrict: z.optional(z.boolean()),
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
	/** A message to the contact was throttled by Meta (131049). */
	throttled: done('throttled'),
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

export const SegmentRow = z.object({ _id: RowId, name: z.string(), ...Rules, createdAt: Time })
export type SegmentRow = z.output<typeof SegmentRow>

const one = { access: 'manager', params: z.object({ id: Id }) } as const
const saved = z.object({ message: z.string(), segment: SegmentRow })

/** Endpoints of segments: contacts chosen by rules, which are evaluated each time a campaign is created. */
export const segments = {
	list: endpoint('GET /api/segments', { access: 'manager', response: z.object({ segments: z.array(SegmentRow) }) }),
	/** Returns the number of contacts that match the rules now. The rules need not be saved. */
	count: endpoint('POST /api/segments/count', {
		effort: 'heavy',
		access: 'manager',
		body: z.object(Rules),
		response: z.object({ contacts: z.int() }),
	}),
	/** Returns the ten latest contacts of the segment. */
	latest: endpoint('GET /api/segments/{id}/latest', {
		...one,
		effort: 'heavy',
		response: z.object({ contacts: z.array(ContactRow) }),
	}),
	create: endpoint('POST /api/segments', { access: 'manager', body: SegmentBody, response: saved }),
	update: endpoint('PUT /api/segments/{id}', { ...one, body: SegmentBody, response: saved }),
	/** Deletes a segment. Its contacts and campaigns remain. */
	remove: endpoint('DELETE /api/segments/{id}', { ...one, response: Message }),
}
