import { MARKET_IDS, marketName } from '#features/pricing/markets.ts'
import { relations, sheetsXml, sheetXml, stylesXml, workbook } from './workbook.ts'

const HEADER = [
	'Market',
	'Currency',
	'Marketing',
	'Utility',
	'Authentication',
	'Authentication-\r\nInternational',
	'Service',
]

export interface RateCardOptions {
	title?: string
	currency?: string
	header?: readonly string[]
	/** Cells of a market instead of the usual ones; null leaves the market out. */
	rows?: Record<string, readonly string[] | null>
	/** Rows after the markets. */
	more?: readonly (readonly string[])[]
}

/** Returns the rows of a rate card as Meta publishes them, with the same rates for each market. */
export function rateCardRows({ title, currency = 'INR', header = HEADER, rows = {}, more = [] }: RateCardOptions = {}) {
	const rates = ['0.9000', '0.1200', '0.1200', 'n/a', '0.1200']
	const markets = MARKET_IDS.flatMap((market) => {
		const name = marketName(market)
		const cells = rows[name]
		return cells === null ? [] : [[name, currency, ...(cells ?? rates)]]
	})
	const line = title ?? `WhatsApp Business Platform rates, effective January 1, 2027`
	return [[line], header, ...markets, ...more]
}

const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const xmlCell = (text: string) =>
	/^\d*\.?\d+$/.test(text)
		? `<c s="0"><v>${text}</v></c>`
		: `<c t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('\r\n', '\n')}</t></is></c>`

/** Returns the rows as a CSV file of Meta: CR LF, and quotes around cells with a comma or line break. */
export function rateCardCsv(options?: RateCardOptions): string {
	return rateCardRows(options)
		.map((row) => `${row.map(csvCell).join(',')}\r\n`)
		.join('')
}

/**
 * Returns the rows as Meta's workbook: the sheet "List rates" after another one, numbers shown with two decimals, and a further
 * column of text.
 */
export function rateCardWorkbook(options?: RateCardOptions): Buffer {
	const rows = rateCardRows(options).map((row, at) =>
		row.length > 1 ? [...row, at === 1 ? 'Meta Business Agent' : 'See notes'] : row,
	)
	const sheet = sheetXml(rows.map((row) => `<row>${row.map(xmlCell).join('')}</row>`).join(''))
	return workbook('<row><c t="inlineStr"><is><t>Volume tiers</t></is></c></row>', {
		'xl/workbook.xml': sheetsXml(
			'<sheet name="Tiers" sheetId="1" r:id="rId1"/><sheet name="List rates" sheetId="2" r:id="rId4"/>',
		),
		'xl/_rels/workbook.xml.rels': relations([
			['worksheet', 'worksheets/sheet1.xml'],
			['sharedStrings', 'sharedStrings.xml'],
			['styles', 'styles.xml'],
			['worksheet', 'worksheets/sheet2.xml'],
		]),
		'xl/worksheets/sheet2.xml': sheet,
		'xl/styles.xml': stylesXml(['0.00']),
	})
}
