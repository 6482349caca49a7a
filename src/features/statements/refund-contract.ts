import * as z from 'zod/mini'
import { Amount } from '#features/wallet/contract.ts'
import { REFUND_REASONS } from '#features/wallet/rules.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, Page, RowId, Time } from '#lib/fields.ts'

const RefundReason = z.enum(REFUND_REASONS)

/** Waiting refunds of one campaign's messages at one price and for one reason. Amounts in rupees. */
export const RefundToCheck = z.object({
	userId: RowId,
	name: z.string(),
	email: z.string(),
	/** Null for chat templates; `messages` is the campaign's number of messages. */
	campaign: z.nullable(z.object({ _id: RowId, name: z.string(), messages: z.int() })),
	reason: RefundReason,
	messages: z.int(),
	price: z.number(),
	amount: z.number(),
	/** Number of earlier decisions. The client sends it back with its decision, and the server refuses an outdated one. */
	decisions: z.int(),
	since: Time,
	latest: Time,
	/** Money charged to the account in the last 60 days, and the part refunded without an admin. */
	charged: z.number(),
	refunded: z.number(),
	/** Share of charges refunded in the preceding 90 days; null without charges. */
	usualShare: z.nullable(z.number()),
})
export type RefundToCheck = z.output<typeof RefundToCheck>

const Count = z.int().check(z.gte(0), z.lte(1_000_000_000))

/** A decision on a refund as the admin saw it: it applies to `messages` messages, and later ones keep waiting. */
const RefundDecisionBody = z.object({
	decision: z.enum(['approve', 'refuse']),
	campaignId: z.nullable(Id),
	price: Amount,
	reason: RefundReason,
	messages: Count.check(z.gte(1)),
	decisions: Count,
})

/** Endpoints for admins, separate from the calls that every screen loads. */
export const refunds = {
	refundsToCheck: endpoint('GET /api/recharge/refunds', {
		access: 'admin',
		query: z.object({ page: Page }),
		response: z.object({ refunds: z.array(RefundToCheck), page: z.int(), pages: z.int() }),
	}),
	/** Answers 409 when the refund was already decided, or fewer messages wait by now. */
	decideRefund: endpoint('POST /api/recharge/refunds/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		body: RefundDecisionBody,
		response: Message,
	}),
}
