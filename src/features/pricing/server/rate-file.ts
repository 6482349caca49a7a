import { isZip, openTable } from '#lib/server/files/table-file.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { isolate } from '#lib/text/bidi.ts'
import { cutTo } from '#lib/text/characters.ts'
import { readDay } from '#lib/typed-values.ts'
import { MARKET_IDS, marketName, RATE_CATEGORIES, type Market, type RateCategory } from '../markets.ts'
import { problem } from '../problems.ts'
import { MAX_RATE_MICROS, readRateMicros } from './rate-numbers.ts'

/** A rate of a file, in millionths of the file's currency. */
export interface FileRate {
	market: Market
	category: RateCategory
	rateMicros: number
}

/** Contents of a rate file. */
export interface RateFile {
	currency: string
	/** Text above the header, on one line. */
	title: string
	/** The day in the title, such as 2026-10-01; null for a title without a day or with several. */
	day: string | null
	rates: FileRate[]
	/** Names of markets that the product does not know, at most MAX_UNKNOWN_MARKETS. */
	unknownMarkets: string[]
}

const MAX_ROWS = 1000
const MAX_TITLE_LENGTH = 300
const MAX_UNKNOWN_MARKETS = 20
const MAX_SHOWN_LENGTH = 40
/** Sheet of Meta's workbook that has the rates. */
const RATE_SHEET = 'List rates'
const WORKBOOK_LIMITS = { rows: MAX_ROWS, characters: 1_000_000, unpackedBytes: 50 * 1024 * 1024 }

/** Currencies in which Meta publishes rate cards. */
const CURRENCIES = new Set('USD AED ARS AUD BRL CLP COP EUR GBP IDR INR MXN MYR PEN SAR SGD'.split(' '))
/** Spelling of US dollars in older rate cards. */
const DOLLARS = '$US'

/** Reads Meta's rate card from a CSV file or a workbook, recognised by content. Throws a 400 that names the first invalid row. */
export async function readRateFile(file: UploadedFile | undefined): Promise<RateFile> {
	if (!file) throw problem('rate_file_missing')
	const isWorkbook = await isZip(file.path)
	const { table } = await openTable(file, {
		isWorkbook,
		limits: WORKBOOK_LIMITS,
		rawNumbers: true,
		withHidden: true,
		sheet: RATE_SHEET,
	})
	const rows: string[][] = []
	for await (const batch of table.rows()) {
		rows.push(...batch)
		if (rows.length > MAX_ROWS) throw problem('rate_file_too_long', { most: MAX_ROWS })
	}
	return readRateCard(rows)
}

/** Reads the rows of a rate card, as `readRateFile` does. */
export function readRateCard(rows: readonly (readonly string[])[]): RateFile {
	const headerAt = rows.findIndex((row) => isHeader(row.map(plain)))
	const header = rows[headerAt]
	if (!header) throw problem('rate_header_missing')
	const columns = columnsOf(header, headerAt + 1)
	const rates: FileRate[] = []
	const found = new Set<Market>()
	const unknownMarkets: string[] = []
	let currency: string | null = null
	for (const [at, row] of rows.entries()) {
		if (at <= headerAt) continue
		const read = readRow(row, at + 1, columns)
		if (read === null) continue
		if ('unknown' in read) {
			if (unknownMarkets.length < MAX_UNKNOWN_MARKETS) unknownMarkets.push(shown(read.unknown))
			continue
		}
		const place = { row: at + 1, market: marketName(read.market) }
		if (found.has(read.market)) throw problem('rate_market_repeated', place)
		if (currency !== null && read.currency !== currency)
			throw problem('rate_currency_mixed', { ...place, cell: read.currency, currency })
		currency = read.currency
		found.add(read.market)
		rates.push(...read.rates)
	}
	const missing = MARKET_IDS.filter((market) => !found.has(market)).map(marketName)
	if (currency === null || missing.length > 0) throw problem('rate_markets_missing', { markets: missing.join(', ') })
	const title = titleOf(rows.slice(0, headerAt))
	return { currency, title, day: dayIn(title), rates, unknownMarkets }
}

/** Names of the columns in Meta's file. */
const COLUMNS = {
	market: 'Market',
	currency: 'Currency',
	marketing: 'Marketing',
	utility: 'Utility',
	authentication: 'Authentication',
	'authentication-international': 'Authentication-International',
	service: 'Service',
} as const satisfies Record<RateCategory | 'market' | 'currency', string>
type Column = keyof typeof COLUMNS
type Columns = Record<Column, number>

function isHeader(names: readonly string[]): boolean {
	return names.includes(plain(COLUMNS.market)) && names.includes(plain(COLUMNS.currency))
}

/** Returns the index of each column, by names without case, blanks and signs. Throws for one that is missing or repeated. */
function columnsOf(header: readonly string[], row: number): Columns {
	const names = header.map(plain)
	const indexOf = (column: Column) => {
		const name = plain(COLUMNS[column])
		const at = names.indexOf(name)
		if (at === -1 || names.includes(name, at + 1))
			throw problem('rate_column_missing', { row, column: COLUMNS[column] })
		return at
	}
	const entries = (Object.keys(COLUMNS) as Column[]).map((column) => [column, indexOf(column)] as const)
	return Object.fromEntries(entries) as Columns
}

const markets = new Map<string, Market>([
	...MARKET_IDS.map((market) => [plain(marketName(market)), market] as const),
	['turkiye', 'TR'],
	['uae', 'AE'],
	['uk', 'GB'],
])

type ReadRow = { market: Market; currency: string; rates: FileRate[] } | { unknown: string }

/** Reads a row below the header. Returns null for an empty row and for a note, which has no rates. */
function readRow(cells: readonly string[], row: number, columns: Columns): ReadRow | null {
	const cellOf = (column: Column) => cells[columns[column]]?.trim() ?? ''
	const name = cellOf('market')
	const market = markets.get(plain(name))
	if (!market) {
		const hasRates = RATE_CATEGORIES.some((category) => readRateMicros(cellOf(category)) !== null)
		if (!hasRates) return null
		if (name === '') throw problem('rate_market_unnamed', { row })
		return { unknown: name }
	}
	const place = { row, market: marketName(market) }
	const typed = cellOf('currency').toUpperCase()
	const currency = typed === DOLLARS ? 'USD' : typed
	if (!CURRENCIES.has(currency)) throw problem('rate_currency_unknown', { ...place, cell: shown(typed) })
	const rates = RATE_CATEGORIES.flatMap((category) => {
		const rateMicros = readRate(cellOf(category), { ...place, column: COLUMNS[category] })
		return rateMicros === null ? [] : { market, category, rateMicros }
	})
	return { market, currency, rates }
}

const NO_RATE = /^(?:n\/?a|not applicable|[-–—])$/i

/** Returns a cell's rate in millionths, null for n/a. Throws for any other text, an empty one too. */
function readRate(cell: string, place: { row: number; market: string; column: string }): number | null {
	if (NO_RATE.test(cell)) return null
	const facts = { ...place, cell: shown(cell) }
	const micros = readRateMicros(cell)
	if (micros === null) throw problem('rate_unreadable', facts)
	if (micros <= 0) throw problem('rate_not_positive', facts)
	if (micros > MAX_RATE_MICROS) throw problem('rate_too_large', facts)
	return micros
}

/** Returns a name's letters and digits without accents and case, for comparisons. */
function plain(name: string): string {
	return cutTo(name, 200)
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll('&', 'and')
		.replace(/[^a-z0-9]/g, '')
}

function shown(cell: string): string {
	return isolate(cutTo(cell.replace(/\s+/g, ' ').trim(), MAX_SHOWN_LENGTH))
}

function titleOf(rows: readonly (readonly string[])[]): string {
	const text = rows.flat().join(' ')
	return cutTo(
		cutTo(text, MAX_TITLE_LENGTH * 2)
			.replace(/\s+/g, ' ')
			.trim(),
		MAX_TITLE_LENGTH,
	)
}

/** Days with the month in words, or in ISO form. Other digits are ambiguous: 01/10 is in January in the United States. */
const WRITTEN_DAY =
	/\b\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]{3,9}\.?,? \d{4}\b|\b[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b|\b\d{4}-\d\d-\d\d\b/gi

/** Returns the different days in a text, in their order. */
function daysIn(text: string): Set<string> {
	return new Set([...text.matchAll(WRITTEN_DAY)].flatMap(([found]) => readDay(found) ?? []))
}

/** Returns the day after the word "effective", otherwise the only day of a text; null for none or several. */
function dayIn(text: string): string | null {
	const effectiveAt = text.search(/\beffective\b/i)
	if (effectiveAt !== -1) {
		const [first] = daysIn(text.slice(effectiveAt))
		if (first !== undefined) return first
	}
	const [only, ...others] = daysIn(text)
	return only !== undefined && others.length === 0 ? only : null
}
