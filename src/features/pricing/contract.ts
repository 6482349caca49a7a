import * as z from 'zod/mini'
import { UserRow } from '#features/users/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, Text } from '#lib/fields.ts'
import { isAbove, paiseFromRupees } from '#lib/money.ts'
import { HOME_MARKET, MARKET_IDS, marketName, marketOf, type Market } from './markets.ts'
import { ABROAD_RULES, MAX_ABROAD_PERCENT, PRICE_CATEGORIES, priceCategoryOf } from './rules.ts'

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

/** Markets other than the home market. */
export const OTHER_MARKETS = MARKET_IDS.filter((market) => market !== HOME_MARKET)
const MarketField = z.enum(OTHER_MARKETS as [Market, ...Market[]], 'Choose a country from the list')
const CategoryField = z.enum(PRICE_CATEGORIES)

const FixedPrice = z.object({ market: MarketField, category: CategoryField, price: z.number() })

/** The rule for recipients in other markets than India, and the fixed prices that override it. */
const Abroad = z.object({ rule: z.enum(ABROAD_RULES), percent: z.int(), fixedPrices: z.array(FixedPrice) })

const PERCENT_WORDS = `The percentage must be a whole number from 0 to ${MAX_ABROAD_PERCENT}`
const Percent = z.pipe(
	z.union([z.number(), Text(100).check(z.regex(/^\s*\d{1,3}\s*$/, PERCENT_WORDS))], PERCENT_WORDS),
	z.transform((percent, context) => {
		const whole = Number(percent)
		if (Number.isInteger(whole) && whole >= 0 && whole <= MAX_ABROAD_PERCENT) return whole
		context.issues.push({ code: 'custom', message: PERCENT_WORDS, input: percent })
		return z.NEVER
	}),
)

const AbroadBody = z.object({
	rule: z.enum(ABROAD_RULES, 'Choose what messages to other countries cost'),
	percent: Percent,
	fixedPrices: z
		.array(
			z.pipe(
				z.object({ market: MarketField, category: CategoryField, price: z.union([z.number(), Text(100)]) }),
				z.transform(({ market, category, price }, context) => {
					const read = z.safeParse(Price(marketName(market)), price)
					if (read.success) return { market, category, paise: read.data }
					for (const { message } of read.error.issues)
						context.issues.push({ code: 'custom', message, input: price, path: ['price'] })
					return z.NEVER
				}),
			),
		)
		.check(
			z.maxLength(OTHER_MARKETS.length * PRICE_CATEGORIES.length),
			z.refine((prices) => new Set(prices.map((one) => `${one.market} ${one.category}`)).size === prices.length, {
				error: 'Each country and category can have one fixed price',
			}),
		),
})

/** True to refund template messages that WhatsApp does not charge, in campaigns ordered from now on. */
const PassesOnFree = z.boolean('Choose whether messages that WhatsApp does not charge are refunded')

export const MorePricesBody = z.object({
	/** Null is the utility price. */
	authenticationPrice: z.nullable(Price('Authentication')),
	servicePrice: Price('Reply'),
	abroad: AbroadBody,
	passesOnFree: PassesOnFree,
})

/** Prices of one message in India, in rupees. */
const Prices = z.object({ marketingPrice: z.number(), utilityPrice: z.number() })

/** A price in rupees, or the reason why a market has none: `blocked`, or `no_rate` while WhatsApp's rate is unknown. */
const MarketPrice = z.object({ price: z.nullable(z.number()), refusal: z.nullable(z.enum(['blocked', 'no_rate'])) })

/** All prices of an account, in rupees. */
const PriceList = z.extend(Prices, {
	/** Null for the utility price. */
	authenticationPrice: z.nullable(z.number()),
	servicePrice: z.number(),
	abroad: Abroad,
	/** True when template messages that WhatsApp does not charge are refunded. */
	passesOnFree: z.boolean(),
})
export type PriceListFields = z.output<typeof PriceList>

/** The prices that an account pays at present. */
const PresentPrices = z.extend(Prices, {
	authenticationPrice: z.number(),
	servicePrice: z.number(),
	/** True when template messages that WhatsApp does not charge are refunded. */
	passesOnFree: z.boolean(),
	/** Prices in other markets than India; empty while all cost as in India. */
	markets: z.array(
		z.object({
			market: MarketField,
			name: z.string(),
			marketing: MarketPrice,
			utility: MarketPrice,
			authentication: MarketPrice,
			service: MarketPrice,
		}),
	),
})

export type PresentPricesFields = z.output<typeof PresentPrices>

/** A user's row with the account's prices. */
export const PricedUser = z.extend(
	z.omit(UserRow, {
		hasSecondFactor: true,
		passwordFrom: true,
		linksStopped: true,
		businessName: true,
		businessAddress: true,
		businessState: true,
		gstin: true,
	}),
	Prices.shape,
)
export type PricedUser = z.output<typeof PricedUser>

export const pricing = {
	mine: endpoint('GET /api/pricing/mine', { access: 'manager', response: Prices }),
	/** The price list of the account that is signed in, with today's prices in other countries. */
	mineByMarket: endpoint('GET /api/pricing/mine/markets', { access: 'template-agent', response: PresentPrices }),
	/** Lists users only: admins have no wallet and send nothing. */
	list: endpoint('GET /api/pricing', {
		access: 'admin',
		query: z.object(ListQuery),
		response: z.object({ users: z.array(PricedUser), page: z.int(), pages: z.int() }),
	}),
	one: endpoint('GET /api/pricing/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		response: z.object({ pricing: PriceList }),
	}),
	update: endpoint('PUT /api/pricing/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		/**
		 * `unchanged` names the prices that the admin did not edit. The server keeps their current values, since the form may
		 * show older ones.
		 */
		body: z.extend(PricesBody, {
			unchanged: z.optional(z.array(PriceField).check(z.maxLength(PRICE_FIELDS.length))),
			/** Absent prices stay as they are. */
			...z.partial(MorePricesBody).shape,
		}),
		response: z.object({ pricing: Prices, message: z.string() }),
	}),
}

/** Returns the price of a template to a number or user id in rupees, or the reason why its market has none. */
export function templatePriceOf(
	prices: PresentPricesFields,
	{ template, recipient }: { template: { category: string }; recipient: string },
): PresentPricesFields['markets'][number]['marketing'] {
	const category = priceCategoryOf(template)
	const market = prices.markets.find((one) => one.market === marketOf(recipient))
	if (market) return market[category]
	const home = {
		marketing: prices.marketingPrice,
		utility: prices.utilityPrice,
		authentication: prices.authenticationPrice,
	}
	return { price: home[category], refusal: null }
}
