import * as z from 'zod/mini'
import { endpoint, type FileRule } from '#lib/endpoint.ts'
import { Id, Message, RowId, Text, Time } from '#lib/fields.ts'
import { MARKET_IDS, RATE_CATEGORIES } from './markets.ts'
import { RATE_SUMMARY_PATH } from './paths.ts'

/** Largest rate file in bytes. Meta's files have under 100 kB. */
export const RATE_FILE_BYTES = 2 * 1024 * 1024

/** Any type: Meta has published workbooks under a name of CSV files, so the content decides. */
const RATE_FILE = { file: { maxBytes: RATE_FILE_BYTES } } satisfies Record<string, FileRule>

const Currency = Text(3).check(z.regex(/^[A-Z]{3}$/, 'Not a currency'))
const HOME_CURRENCY = 'INR'

const CHOOSE_DAY = 'Enter the day from which the rates apply'
const Day = Text(10, { missing: CHOOSE_DAY }).check(z.iso.date(CHOOSE_DAY), z.regex(/^20/, CHOOSE_DAY))
const OptionalDay = z.optional(
	z.pipe(
		z.union([z.literal(''), Day], CHOOSE_DAY),
		z.transform((day) => day || undefined),
	),
)

/** A rate in units of the card's currency, before tax; null when it is unknown or Meta has none. */
const Rate = z.nullable(z.object({ rate: z.number(), isComputed: z.boolean() }))
const RateByCategory = z.record(z.enum(RATE_CATEGORIES), Rate)

/** Facts of a rate card. `fileName` is null for the built-in card. Days are like 2027-01-01. */
export const RateCard = z.object({
	_id: RowId,
	currency: z.string(),
	effectiveFrom: z.string(),
	fileName: z.nullable(z.string()),
	loadedBy: z.nullable(z.string()),
	createdAt: Time,
})
export type RateCard = z.output<typeof RateCard>

const MarketRates = z.object({ market: z.enum(MARKET_IDS), name: z.string(), rates: RateByCategory })
export type MarketRates = z.output<typeof MarketRates>

/** A card with the rates of all markets. */
const RateList = z.extend(RateCard, { markets: z.array(MarketRates) })
export type RateList = z.output<typeof RateList>

/** A changed rate; null where a card has none. `percent` is null unless both have one. */
const RateChange = z.object({
	market: z.enum(MARKET_IDS),
	name: z.string(),
	category: z.enum(RATE_CATEGORIES),
	before: z.nullable(z.number()),
	after: z.nullable(z.number()),
	percent: z.nullable(z.number()),
})
export type RateChange = z.output<typeof RateChange>

/** Contents of a rate file, compared with the newest card of its currency. */
const RateDifference = z.object({
	currency: z.string(),
	/** The file's lines above its header. */
	title: z.string(),
	/** The day that was sent, or else the day in the title; null when neither is known. */
	effectiveFrom: z.nullable(z.string()),
	comparedWith: z.nullable(RateCard),
	changes: z.array(RateChange),
	/** Number of rates that stay the same. */
	unchanged: z.int(),
	/** Markets and categories for which the file has no rate, without authentication-international. */
	unknown: z.array(z.object({ name: z.string(), category: z.enum(RATE_CATEGORIES) })),
	/** Markets of the file that the product does not know. Their rates are not stored. */
	unknownMarkets: z.array(z.string()),
	/** Text to send back to load exactly these rates; null without a day. */
	confirmation: z.nullable(z.string()),
})
export type RateDifference = z.output<typeof RateDifference>

/** Calls about Meta's rates. Only admins see what Meta charges. */
export const rates = {
	/** Returns the cards of a currency: in effect today, and upcoming by their day. */
	list: endpoint('GET /api/pricing/rates', {
		access: 'admin',
		query: z.object({ currency: z.catch(Currency, HOME_CURRENCY) }),
		response: z.object({
			currency: z.string(),
			/** Currencies with cards. */
			currencies: z.array(z.string()),
			current: z.nullable(RateList),
			upcoming: z.array(RateList),
		}),
	}),
	/** Returns India's rates in rupees today, and the day of the next change for which no card is loaded. */
	summary: endpoint(`GET ${RATE_SUMMARY_PATH}`, {
		access: 'admin',
		response: z.object({
			effectiveFrom: z.nullable(z.string()),
			rates: RateByCategory,
			/** Set from 14 days before to 14 days after the first day of a quarter, while no card of that day is loaded. */
			missingFrom: z.nullable(z.string()),
		}),
	}),
	/** Compares a file with the newest card of its currency. Stores nothing. */
	compare: endpoint('POST /api/pricing/rates/compare', {
		access: 'admin',
		effort: 'heavy',
		body: z.object({ effectiveFrom: OptionalDay }),
		files: RATE_FILE,
		response: RateDifference,
	}),
	/** Stores a file's rates as a card. `confirmation` is that of the difference which the admin saw. */
	load: endpoint('POST /api/pricing/rates', {
		access: 'admin',
		effort: 'heavy',
		status: 201,
		body: z.object({ effectiveFrom: Day, confirmation: Text(100) }),
		files: RATE_FILE,
		response: z.object({ card: RateCard, message: z.string() }),
	}),
	/** Deletes an uploaded card before its day; its rates have priced nothing yet. */
	remove: endpoint('DELETE /api/pricing/rates/{cardId}', {
		access: 'admin',
		params: z.object({ cardId: Id }),
		response: Message,
	}),
}
