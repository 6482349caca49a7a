import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, ListQuery, RowId, Text, Time } from '#lib/fields.ts'

const CHOOSE_MONTH = 'Choose a month such as 2026-11'
/** A month in India; the current one when it is left out. */
const Month = z.optional(Text(7, { tooLong: CHOOSE_MONTH }).check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, CHOOSE_MONTH)))

/** Messages that WhatsApp delivered, and its charge to the operator for them, in rupees before tax. */
const Usage = z.object({
	messages: z.int(),
	/** Messages that WhatsApp does not charge. */
	free: z.int(),
	/** Messages whose status updates had no pricing. They count as charged in their own category. */
	estimated: z.int(),
	/** Charged messages without a known rate, which are not part of the cost. */
	unrated: z.int(),
	cost: z.number(),
})

/** `revenue` is the charges of accounts less their refunds; `margin` is the revenue less the cost. */
const Margin = z.extend(Usage, { revenue: z.number(), margin: z.number() })
export type Margin = z.output<typeof Margin>

const AccountMargin = z.extend(Margin, { _id: RowId, name: z.string(), email: z.string() })
export type AccountMargin = z.output<typeof AccountMargin>

const CategoryMargin = z.extend(Margin, { category: z.string(), name: z.string() })
export type CategoryMargin = z.output<typeof CategoryMargin>

const MarketUsage = z.extend(Usage, { market: z.string(), name: z.string() })
export type MarketUsage = z.output<typeof MarketUsage>

/** Days and categories in which WhatsApp's count of messages or of free messages differs from ours. Read each night. */
const UsageCheck = z.object({
	checkedAt: Time,
	/** False when the access token may not read the counts. */
	isReadable: z.boolean(),
	differences: z.array(
		z.object({
			day: z.string(),
			category: z.string(),
			name: z.string(),
			counted: z.int(),
			reported: z.int(),
			/** Number of these messages that WhatsApp does not charge. */
			countedFree: z.int(),
			/** Null for a reading of an earlier release, which has no types of charge. */
			reportedFree: z.nullable(z.int()),
		}),
	),
})
export type UsageCheck = z.output<typeof UsageCheck>

/** Calls about the operator's revenue and WhatsApp's charge in a month. Amounts in rupees. */
export const margins = {
	/** Returns the accounts of a month, accounts that lose money first, and the totals of all accounts. */
	list: endpoint('GET /api/admin/margins', {
		access: 'admin',
		query: z.object({ ...ListQuery, month: Month }),
		response: z.object({
			month: z.string(),
			totals: Margin,
			accounts: z.array(AccountMargin),
			page: z.int(),
			pages: z.int(),
		}),
	}),
	/** Returns one account's month by category and by the recipients' countries. */
	one: endpoint('GET /api/admin/margins/{userId}', {
		access: 'admin',
		params: z.object({ userId: Id }),
		query: z.object({ month: Month }),
		response: z.object({
			month: z.string(),
			account: AccountMargin,
			categories: z.array(CategoryMargin),
			markets: z.array(MarketUsage),
			/** Comparison with WhatsApp's own counts of whole days; null before the first reading. */
			check: z.nullable(UsageCheck),
		}),
	}),
	/** Returns the accounts of a month as a file, accounts that lose money first. */
	exportCsv: endpoint('GET /api/admin/margins/csv', {
		access: 'admin',
		query: z.object({ month: Month }),
		response: { file: 'text/csv; charset=utf-8' },
	}),
}
