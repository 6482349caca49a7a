import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Limit, OptionalText, Page, RowId, Text, Time } from '#lib/fields.ts'
import { formatRupees, isAbove, MAX_AMOUNT_PAISE, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { RequestId } from '#lib/request-id.ts'

/** Returns a schema for rupees, as a number or text, of at least `minPaise`; outputs paise. */
function RupeesFrom(minPaise: number, message: string) {
	return z.pipe(
		z.union([z.number(), Text(100)], message),
		z.transform((rupees, context) => {
			const paise = paiseFromRupees(rupees)
			if (paise !== null && paise >= minPaise && paise <= MAX_AMOUNT_PAISE) return paise
			context.issues.push({ code: 'custom', message: amountError(rupees) ?? message, input: rupees })
			return z.NEVER
		}),
	)
}

/** Returns the error for an amount that is too large or has too many decimals; null for any other amount. */
function amountError(rupees: number | string): string | null {
	if (isAbove(rupees, MAX_AMOUNT_PAISE)) return `Enter at most ${formatRupees(rupeesFromPaise(MAX_AMOUNT_PAISE))}`
	const hasParts = /^\d+\.\d{3,}$/.test(String(rupees).trim()) && isAbove(rupees, 0)
	return hasParts ? 'Enter an amount with up to two decimals' : null
}

export const Amount = RupeesFrom(1, 'Valid amount greater than 0 is required')

export const RechargeBody = z.object({
	amount: Amount,
	notes: OptionalText(),
	requestId: z.optional(RequestId),
})

export const RechargeRow = z.object({
	_id: RowId,
	transactionDate: Time,
	amount: z.number(),
	notes: z.nullable(z.string()),
	admin: z.object({ name: z.string() }),
})
export type RechargeRow = z.output<typeof RechargeRow>

export const LowBalanceBody = z.object({
	amount: RupeesFrom(0, 'Enter an amount of 0 or more, with up to two decimals'),
})

const ofUser = z.object({ userId: Id })

export const wallet = {
	/**
	 * `walletBalance` is the spendable money, `onHold` the money reserved for unsent messages, `lowBalance` the limit of
	 * the warning, `refundsWaiting` the refunds that an admin has to decide, and `owed` money of refunded payments that the
	 * next recharge settles.
	 */
	balance: endpoint('GET /api/users/wallet/balance', {
		access: 'manager',
		response: z.object({
			success: z.boolean(),
			walletBalance: z.number(),
			onHold: z.number(),
			lowBalance: z.number(),
			refundsWaiting: z.number(),
			owed: z.number(),
		}),
	}),
	setLowBalance: endpoint('PUT /api/users/wallet/low-balance', {
		access: 'manager',
		body: LowBalanceBody,
		response: z.object({ lowBalance: z.number(), message: z.string() }),
	}),
	recharge: endpoint('POST /api/recharge/{userId}', {
		access: 'admin',
		params: ofUser,
		body: RechargeBody,
		response: z.object({ newBalance: z.number(), message: z.string() }),
	}),
	/** Returns all recharges, newest first. The screens use `recharges`, which is paged. */
	history: endpoint('GET /api/recharge/history/{userId}', {
		access: 'admin-or-manager',
		params: ofUser,
		response: z.array(RechargeRow),
	}),
	recharges: endpoint('GET /api/recharge/history/{userId}/page', {
		access: 'admin-or-manager',
		params: ofUser,
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({ transactions: z.array(RechargeRow), page: z.int(), pages: z.int(), total: z.int() }),
	}),
	receipt: endpoint('GET /api/recharge/receipt/{transactionId}', {
		effort: 'heavy',
		access: 'admin-or-manager',
		params: z.object({ transactionId: Id }),
		response: { file: 'application/pdf' },
	}),
	/** Returns a credit or debit note of a tax invoice. */
	taxNote: endpoint('GET /api/recharge/note/{noteId}', {
		effort: 'heavy',
		access: 'admin-or-manager',
		params: z.object({ noteId: Id }),
		response: { file: 'application/pdf' },
	}),
}
