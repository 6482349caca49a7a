import * as z from 'zod/mini'
import { UserRow } from '#features/users/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, Text } from '#lib/fields.ts'
import { isAbove, paiseFromRupees } from '#lib/money.ts'

/** Highest price of one message in paise. Catches a misplaced decimal point before it empties a wallet. */
const MAX_PAISE = 1_000_000

/** Returns a schema that reads rupees, as a number or text, and outputs paise. */
function Price(name: string) {
	const refuse = (message: string) => ({ code: 'custom' as const, message: `${name} price ${message}` })
	const unreadable = 'must be an amount with up to two decimals'
	return z.pipe(
		z.union([z.number(), Text(100)], `${name} price ${unreadable}`),
		z.transform((rupees, context) => {
			const paise = paiseFromRupees(rupees)
			if (paise !== null && paise <= MAX_PAISE) return paise
			const isNegative = /^-\s*[\d.]*[1-9]/.test(String(rupees).trim())
			const why = isNegative
				? 'cannot be negative'
				: isAbove(rupees, MAX_PAISE)
					? 'cannot be above ₹10,000'
					: unreadable
			context.issues.push({ ...refuse(why), input: rupees })
			return z.NEVER
		}),
	)
}

export const PricesBody = z.object({ marketingPrice: Price('Marketing'), utilityPrice: Price('Utility') })
const PriceField = z.keyof(PricesBody)
export const PRICE_FIELDS = PriceField.options

/** Prices of one message for an account, in rupees. AUTHENTICATION messages cost the utility price. */
const Prices = z.object({ marketingPrice: z.number(), utilityPrice: z.number() })

/** A user's row with the account's prices. */
export const PricedUser = z.extend(
	z.omit(UserRow, {
		hasSecondFactor: true,
		passwordFrom: true,
		linksStopped: true,
		businessName: true,
		businessAddress: true,
		gstin: true,
	}),
	Prices.shape,
)
export type PricedUser = z.output<typeof PricedUser>

export const pricing = {
	mine: endpoint('GET /api/pricing/mine', { access: 'user', response: Prices }),
	/** Lists users only: admins have no wallet and send nothing. */
	list: endpoint('GET /api/pricing', {
		access: 'admin',
		query: z.object(ListQuery),
		response: z.object({ users: z.array(PricedUser), page: z.int(), pages: z.int() }),
	}),
	update: endpoint('PUT /api/pricing/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		/**
		 * `unchanged` names the prices that the admin did not edit. The server keeps their current values, since the form may
		 * show older ones.
		 */
		body: z.extend(PricesBody, { unchanged: z.optional(z.array(PriceField).check(z.maxLength(PRICE_FIELDS.length))) }),
		response: z.object({ pricing: Prices, message: z.string() }),
	}),
}
