import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Text, Time } from '#lib/fields.ts'

function Count(most: number, message: string) {
	return z.int({ error: message }).check(z.minimum(1, message), z.maximum(most, message))
}

/** A time of the day in India, as 21:00. */
export const Clock = Text(5).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 21:00'))

/**
 * The route of an account's marketing messages: `automatic` takes WhatsApp's marketing route once the account has joined it,
 * `messages` only the ordinary route.
 */
export const MarketingRoute = z.enum(['automatic', 'messages'], 'Choose automatic or messages')
export type MarketingRoute = z.output<typeof MarketingRoute>

/** The rules of an account for its campaigns. A rule that is off is null. */
export const SendingRules = z.object({
	/**
	 * Maximum of marketing messages per person: `messages` in `days` days. Recipients above it are left out when a campaign
	 * is created.
	 */
	frequency: z.nullable(
		z.object({
			messages: Count(50, 'Enter 1 to 50 messages'),
			days: Count(60, 'Enter 1 to 60 days'),
		}),
	),
	/** Quiet hours in Indian time. Campaigns wait from `from` until `until`, which may be on the next day. */
	quiet: z.nullable(
		z.object({ from: Clock, until: Clock }).check(
			z.refine(({ from, until }) => from !== until, {
				path: ['until'],
				error: 'Quiet hours must end at another time',
			}),
		),
	),
	marketing: z.object({
		route: MarketingRoute,
		/** True lets WhatsApp use what recipients do with marketing messages, such as reading them, for its ranking. */
		sharesActivity: z.boolean('sharesActivity is true or false'),
	}),
})
export type SendingRules = z.output<typeof SendingRules>

/** WhatsApp's limit of people with whom an account may start conversations in 24 hours. */
export const MessagingLimit = z.object({
	perDay: z.int(),
	/** People who can still be reached now. Accounts of one business portfolio share the limit, and so this number. */
	left: z.int(),
})
export type MessagingLimit = z.output<typeof MessagingLimit>

/** The time that a campaign needs under the limit. `days` counts the days on which it sends. */
export const SendingPlan = z.object({ days: z.int(), until: Time })
export type SendingPlan = z.output<typeof SendingPlan>

/** Order of a campaign's recipients: as in the list, or people who read, replied or clicked in the last 90 days first. */
export const RecipientOrder = z.enum(['list', 'engaged'])
export type RecipientOrder = z.output<typeof RecipientOrder>

/** Choices of a campaign that needs several days. */
export const Pacing = {
	recipientOrder: z.optional(RecipientOrder),
	/** The time in India from which the campaign continues on each day after its first, as 10:00. */
	dailyStart: z.optional(z.union([z.literal(''), Clock])),
}

/** WhatsApp's limit, and the time that the recipients need under it. Null without a known limit. */
export const UnderLimit = {
	limit: z.nullable(MessagingLimit),
	plan: z.nullable(SendingPlan),
}
export interface UnderLimit {
	limit: MessagingLimit | null
	plan: SendingPlan | null
}

/** The choices and the progress of a campaign. `limit` and `plan` are null for a campaign without pending messages. */
export const PacingState = {
	...UnderLimit,
	recipientOrder: RecipientOrder,
	dailyStart: z.nullable(z.string()),
	/** The time when the next recipients get their turn, while the campaign waits for the limit; null otherwise. */
	limitedUntil: z.nullable(Time),
	/** Number of messages sent on each day in India, as 2026-11-27, the earliest first; at most the last 60 days. */
	progressByDay: z.array(z.object({ day: z.string(), sent: z.int() })),
}

/** The state of an account's number at WhatsApp. */
export const NumberStanding = z.object({
	/** People with whom the account may start conversations in 24 hours; -1 without a limit, null while unknown. */
	perDay: z.nullable(z.int()),
	/** People who can still be reached now; null without a known limit. */
	left: z.nullable(z.int()),
	/** WhatsApp's rating of the number; null while it is unknown. */
	quality: z.nullable(z.enum(['high', 'medium', 'low'])),
})
export type NumberStanding = z.output<typeof NumberStanding>

export const numberStanding = {
	/** Returns the limit and the quality of the account's number; null for an account without a number. */
	limit: endpoint('GET /api/campaigns/limit', {
		access: 'manager',
		response: z.object({ standing: z.nullable(NumberStanding) }),
	}),
}

/** Endpoints of the sending rules. */
export const sendingRules = {
	rules: endpoint('GET /api/campaigns/rules', { access: 'manager', response: SendingRules }),
	saveRules: endpoint('PUT /api/campaigns/rules', {
		access: 'manager',
		body: z.extend(SendingRules, {
			/** An absent value keeps the stored marketing settings. */
			marketing: z.optional(SendingRules.shape.marketing),
		}),
		response: z.object({ message: z.string(), rules: SendingRules }),
	}),
}
