import * as z from 'zod/mini'
import { CampaignRow, StatusCounts } from '#features/campaigns/contract.ts'
import { NumberStanding } from '#features/delivery/contract.ts'
import { endpoint } from '#lib/endpoint.ts'

export const dashboards = {
	/**
	 * Returns all that the user's dashboard shows: `month` is the last 30 days in Indian time, `days` the last seven, oldest first.
	 */
	user: endpoint('GET /api/campaigns/dashboard', {
		access: 'manager',
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
			/** The latest campaigns, the newest first, without tests. */
			latest: z.array(CampaignRow),
			upcoming: z.array(CampaignRow),
			running: z.array(CampaignRow),
			/** Number of customers who wait for an answer, as the bell counts them. */
			waitingChats: z.int(),
			/** The customer who has waited longest, and the time of the latest message; null when no customer waits. */
			longestWaiting: z.nullable(z.object({ name: z.string(), time: z.string(), link: z.string() })),
			/**
			 * Open chats, counted up to 1,000, and the median seconds until a first answer; null without one. Null in an account of
			 * one person.
			 */
			inbox: z.nullable(z.object({ openChats: z.int(), firstAnswerSeconds: z.nullable(z.int()) })),
			/** Rupees that can be spent, and the number of marketing messages in India for them; null if these cost nothing. */
			wallet: z.object({ balance: z.number(), marketingMessages: z.nullable(z.int()) }),
			/** WhatsApp's limit for the account's number; null without a number. */
			limit: z.nullable(NumberStanding),
			steps: z.object({
				credentials: z.boolean(),
				template: z.boolean(),
				contacts: z.boolean(),
				recharge: z.boolean(),
				/** True once a campaign has started, by a person or a program. */
				campaign: z.boolean(),
			}),
		}),
	}),
}
