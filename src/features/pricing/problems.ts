import { problemsOf } from '#lib/app-error.ts'
import { spellDay } from '#lib/dates.ts'

/** A place in a rate file. `row` counts from 1, as spreadsheets do. */
interface RatePlace {
	row: number
	market: string
}

/** Refusals of recipients without a price, and of Meta's rate files and cards, which refuse the whole file. */
export const problem = problemsOf({
	market_unpriced: {
		status: 400,
		text: ({ market, reason }: { market: string; reason: 'blocked' | 'no_rate' }) =>
			reason === 'blocked'
				? `Messages to ${market} are blocked for your account. Ask your administrator.`
				: `Messages to ${market} have no price yet, so none is sent. Ask your administrator.`,
	},
	rate_file_missing: {
		status: 400,
		text: "Please select WhatsApp's rate card, a CSV or Excel file",
	},
	rate_header_missing: {
		status: 400,
		text: 'This file has no header with "Market" and "Currency". Download the rate card of your currency from WhatsApp and select it without changes',
	},
	rate_column_missing: {
		status: 400,
		text: ({ row, column }: { row: number; column: string }) =>
			`The header in row ${row} needs exactly one column "${column}". Select WhatsApp's rate card without changes`,
	},
	rate_market_unnamed: {
		status: 400,
		text: ({ row }: { row: number }) => `Row ${row} has rates but no market. Enter the market's name`,
	},
	rate_market_repeated: {
		status: 400,
		text: ({ row, market }: RatePlace) => `Row ${row} repeats the market ${market}. Keep one row for each market`,
	},
	rate_markets_missing: {
		status: 400,
		text: ({ markets }: { markets: string }) =>
			`The file has no row for ${markets}. A rate card needs a row for every market: select the whole rate card`,
	},
	rate_currency_unknown: {
		status: 400,
		text: ({ row, market, cell }: RatePlace & { cell: string }) =>
			`Row ${row} (${market}): "${cell}" is not a currency of WhatsApp's rate cards, such as INR`,
	},
	rate_currency_mixed: {
		status: 400,
		text: ({ row, market, cell, currency }: RatePlace & { cell: string; currency: string }) =>
			`Row ${row} (${market}) is in ${cell}, but the rows before it are in ${currency}. A rate card has one currency`,
	},
	rate_not_positive: {
		status: 400,
		text: ({ row, market, column, cell }: RatePlace & { column: string; cell: string }) =>
			`Row ${row} (${market}): the rate "${cell}" of ${column} must be above 0. Write n/a where there is no rate`,
	},
	rate_unreadable: {
		status: 400,
		text: ({ row, market, column, cell }: RatePlace & { column: string; cell: string }) =>
			`Row ${row} (${market}): the rate "${cell}" of ${column} is not a number with up to six decimals. ` +
			'Write n/a where there is no rate',
	},
	rate_too_large: {
		status: 400,
		text: ({ row, market, column, cell }: RatePlace & { column: string; cell: string }) =>
			`Row ${row} (${market}): the rate "${cell}" of ${column} is too large for one message. Check the decimal point`,
	},
	rate_file_too_long: {
		status: 400,
		text: ({ most }: { most: number }) =>
			`This file has more than ${most} rows, which no rate card has. Select WhatsApp's rate card`,
	},
	rate_day_too_far: {
		status: 400,
		text: ({ day }: { day: string }) => `${spellDay(day)} is more than a year away. Check the day`,
		field: 'effectiveFrom',
	},
	rate_card_outdated: {
		status: 409,
		text: ({ day, newest }: { day: string; newest: string }) =>
			`Rates from ${spellDay(newest)} are already loaded, so rates from ${spellDay(day)} cannot be added before them. ` +
			'Check the day',
		field: 'effectiveFrom',
	},
	rate_card_loaded: {
		status: 409,
		text: ({ day }: { day: string }) => `These rates from ${spellDay(day)} are already loaded`,
	},
	rate_card_differs: {
		status: 409,
		text: ({ day, source }: { day: string; source: string }) =>
			`Other rates from ${spellDay(day)} are already loaded, from ${source}. Loaded rates are never overwritten. ` +
			'Check the day of this file',
		field: 'effectiveFrom',
	},
	rate_difference_outdated: {
		status: 409,
		text: 'The rates or the file have changed since this difference was shown. Select the file again and check the new difference',
	},
	rate_card_fixed: {
		status: 409,
		text: ({ day }: { day: string }) =>
			`Rates from ${spellDay(day)} cannot be removed: messages are counted with them. Only rates of a later day can`,
	},
})
