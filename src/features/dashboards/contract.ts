import * as z from 'zod/mini'
import { CampaignRow, StatusCounts } from '#features/campaigns/contract.ts'
import { endpoint } from '#lib/endpoint.ts'

export const dashboards = {
	/** The user dashboard's stats: `month` is the last 30 days in Indian time, `days` the last seven, oldest first. */
	user: endpoint('GET /api/campaigns/dashboard', {
		access: 'user',
		response: z.object({
			today: StatusCounts,
			month: z.object({
				messages: z.int(),
				spent: z.number(),
				/**
				 * Delivered and read messages as shares of the recipients of the last 30 days' campaigns; null without recipients.
				 */
				deliveryRate: z.nullable(z.number()),
				readRate: z.nullable(z.number()),
				/** Recipients whose message is sent but not yet delivered or failed. */
				arriving: z.int(),
			}),
			days: z.array(z.object({ day: z.string(), sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() })),
			upcoming: z.array(CampaignRow),
			running: z.array(CampaignRow),
			steps: z.object({
				credentials: z.boolean(),
				template: z.boolean(),
				contacts: z.boolean(),
				recharge: z.boolean(),
			}),
		}),
	}),
}
