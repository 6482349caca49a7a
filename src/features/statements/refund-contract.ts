import * as z from 'zod/mini'
import { Amount } from '#features/wallet/contract.ts'
import { REFUND_REASONS } from '#features/wallet/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Page, RowId, Time } from '#lib/fields.ts'

const RefundReason = z.enum(REFUND_REASONS)

/** Messages of one campaign at one price that failed, and whose refund waits. Amounts in rupees. */
export const RefundToCheck = z.object({
	userId: RowId,
	name: z.string(),
	email: z.string(),
	/** Null for templates sent from chats; with the number of its messages. */
	campaign: z.nullable(z.object({ _id: RowId, name: z.string(), messages: z.int() })),
	reason: RefundReason,
	messages: z.int(),
	price: z.number(),
	amount: z.number(),
	/** How often it was decided before: goes back with the decision. */
	decisions: z.int(),
	since: Time,
	latest: Time,
	/** What the account was charged in the last 60 days, and what of it was refunded without an admin. */
	charged: z.number(),
	refunded: z.number(),
	/** The share that was refunded in the 90 days before; null where nothing was charged. */
	usualShare: z.nullable(z.number()),
})
export type RefundToCheck = z.output<typeof RefundToCheck>

const Count = z.int().check(z.gte(0), z.lte(1_000_000_000))

/** The refund as it was seen. Of `messages`, all are decided; what has come since goes on waiting. */
const RefundDecisionBody = z.object({
	decision: z.enum(['approve', 'refuse']),
	campaignId: z.nullable(Id),
	price: Amount,
	reason: RefundReason,
	messages: Count.check(z.gte(1)),
	decisions: Count,
})

/** Apart from the other calls, which every screen loads. */
export const refunds = {
	refundsToCheck: endpoint('GET /api/recharge/refunds', {
		access: 'admin',
		query: z.object({ page: Page }),
		response: z.object({ refunds: z.array(RefundToCheck), page: z.int(), pages: z.int() }),
	}),
	/** 409 when the refund was decided already, or is less by now. */
	decideRefund: endpoint('POST /api/recharge/refunds/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		body: RefundDecisionBody,
		response: Message,
	}),
}
