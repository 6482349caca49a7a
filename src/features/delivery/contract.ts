import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Text } from '#lib/fields.ts'

function Count(most: number, message: string) {
	return z.int({ error: message }).check(z.minimum(1, message), z.maximum(most, message))
}

const Clock = Text(5).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 21:00'))

/** The rules of an account for its campaigns. A rule that is off is null. */
export const SendingRules = z.object({
	/**
	 * Most marketing messages per person: `messages` in `days` days. Recipients above it are left out when a campaign is
	 * created.
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
})
export type SendingRules = z.output<typeof SendingRules>

/** Endpoints of the sending rules. */
export const sendingRules = {
	rules: endpoint('GET /api/campaigns/rules', { access: 'user', response: SendingRules }),
	saveRules: endpoint('PUT /api/campaigns/rules', {
		access: 'user',
		body: SendingRules,
		response: z.object({ message: z.string(), rules: SendingRules }),
	}),
}
