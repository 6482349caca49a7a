import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, OptionalText, Time } from '#lib/fields.ts'
import { paiseFromRupees } from '#lib/money.ts'

/** Rupees typed by an admin, as a number or its text; comes out as paise. */
const invalidAmount = 'Valid amount greater than 0 is required'
export const Amount = z.pipe(
	z.union([z.number(), z.string()], invalidAmount),
	z.transform((rupees, context) => {
		const paise = paiseFromRupees(rupees)
		if (paise !== null && paise > 0) return paise
		context.issues.push({ code: 'custom', message: invalidAmount, input: rupees })
		return z.NEVER
	}),
)

export const RechargeBody = z.object({
	amount: Amount,
	notes: OptionalText(),
	/** Made by the form once per opening, so that a double click or a retried request recharges once. */
	requestId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, 'Not a valid request id'))),
})

export const RechargeRow = z.object({
	_id: z.string(),
	transactionDate: Time,
	amount: z.number(),
	notes: z.nullable(z.string()),
	admin: z.object({ name: z.string() }),
})
export type RechargeRow = z.output<typeof RechargeRow>

export const wallet = {
	/** `walletBalance` is what can be spent; `onHold` is set aside for messages not yet sent. */
	balance: endpoint({
		method: 'GET',
		path: '/api/users/wallet/balance',
		access: 'user',
		response: z.object({ success: z.boolean(), walletBalance: z.number(), onHold: z.number() }),
	}),
	recharge: endpoint({
		method: 'POST',
		path: '/api/recharge/{userId}',
		access: 'admin',
		params: z.object({ userId: Id }),
		body: RechargeBody,
		response: z.object({ newBalance: z.number(), message: z.string() }),
	}),
	history: endpoint({
		method: 'GET',
		path: '/api/recharge/history/{userId}',
		access: 'signed-in',
		params: z.object({ userId: Id }),
		response: z.array(RechargeRow),
	}),
}
