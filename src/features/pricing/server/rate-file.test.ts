import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { rateCardCsv, rateCardRows, rateCardWorkbook, type RateCardOptions } from '#test/files/rate-card.ts'
import { readRateCard, readRateFile } from './rate-file.ts'
import { rateFromMicros, readRateMicros } from './rate-numbers.ts'

let folder: string
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'rate-file-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let files = 0
async function read(content: string | Buffer) {
	const path = join(folder, String(++files))
	await writeFile(path, content)
	return readRateFile({ filename: 'rates.csv', type: 'text/csv', path, bytes: content.length })
}

const refusal = (options: RateCardOptions) => {
	try {
		readRateCard(rateCardRows(options))
	} catch (error) {
		return (error as Error).message
	}
	return null
}

const INDIA = { India: ['.8631', '0.1150', '₹0.1150', '2.4971', '0.115000'] }

const indian = ({ rates }: Awaited<ReturnType<typeof read>>) =>
	rates.filter(({ market }) => market === 'IN').map(({ rateMicros }) => rateMicros)
const rates = (marketing: string) => ({ rows: { Kuwait: [marketing, '1', '1', 'n/a', '1'] } })

suite('readRateFile', () => {
	const expected = [863_100, 115_000, 115_000, 2_497_100, 115_000]

	test("reads Meta's CSV file with a title line, CR LF and a line break in the header", async () => {
		const file = await read(rateCardCsv({ rows: INDIA }))
		assert.deepEqual(indian(file), expected)
		assert.deepEqual([file.currency, file.day, file.rates.length], ['INR', '2027-01-01', 47 * 4 + 1])
	})

	test('reads a workbook under the name of a CSV file, with all decimals that its cells hide', async () => {
		const file = await read(rateCardWorkbook({ rows: { India: ['.8631', '0.1150', '0.1150', '2.4971', '0.115000'] } }))
		assert.deepEqual(indian(file), expected)
		assert.deepEqual([file.day, file.rates.length], ['2027-01-01', 47 * 4 + 1])
	})

	test('returns 400 for no file, an empty one, another type and a workbook without rates', async () => {
		const messages = await Promise.all(
			[undefined, '', 'name,number\nAsha,9811122001\n', '%PDF-1.7', 'PK\u0003\u0004'].map(async (content) => {
				const reading = content === undefined ? readRateFile(content) : read(content)
				return reading.then(
					() => null,
					({ message }: Error) => message,
				)
			}),
		)
		assert.deepEqual(messages, [
			"Please select WhatsApp's rate card, a CSV or Excel file",
			'This file is empty',
			'This file has no header with "Market" and "Currency". Download the rate card of your currency from WhatsApp and select it without changes',
			'This is not a CSV file',
			'This is not an Excel file that can be read: save it as .xlsx or .csv and try again',
		])
		await assert.rejects(read('a,b\n'.repeat(1001)), /more than 1000 rows/)
	})
})

suite('readRateCard', () => {
	test('matches headers in any case, with blanks and breaks, in any order, and ignores further columns and notes', () => {
		const header = [
			'Notes',
			' market',
			'CURRENCY',
			'Service ',
			'utility',
			'authentication',
			'Authentication\nInternational',
			'MARKETING',
		]
		const [title = [], , ...markets] = rateCardRows()
		const rows = markets.map(([name = '']) => [
			'',
			name.toUpperCase(),
			'$US',
			'0.0014',
			'0.0014',
			'0.0014',
			'N/A',
			'0.0118',
		])
		const note = ['', '* Rates exclude tax.', '', '', '', '', '', '']
		const file = readRateCard([title, [], header, ...rows, [], note])
		assert.equal(file.currency, 'USD')
		const [india] = file.rates
		assert.deepEqual(india, { market: 'IN', category: 'marketing', rateMicros: 11_800 })
	})

	test('returns the day after "effective", or the only day of the title, and null for none or several', () => {
		const days: [title: string, day: string | null][] = [
			['Rates effective October 1, 2026', '2026-10-01'],
			['Published 2 September 2026. Effective 1st October, 2026', '2026-10-01'],
			['INR rate card – 1 Jan 2027', '2027-01-01'],
			['Rates from 2027-04-01', '2027-04-01'],
			['Rates of 01/10/2026', null],
			['1 October 2026 to 1 January 2027', null],
			['effective soon', null],
			['', null],
		]
		for (const [title, day] of days) assert.equal(readRateCard(rateCardRows({ title })).day, day, title)
	})

	test('names markets that the product does not know, and stores none of their rates', () => {
		const file = readRateCard(rateCardRows({ more: [['Japan', 'INR', '1', '1', '1', 'n/a', '1']] }))
		assert.deepEqual([file.unknownMarkets, file.rates.length], [['Japan'], 47 * 4])
	})

	test('refuses the whole file with the row and market of a fault', () => {
		const kuwait = 'Row 19 (Kuwait): the rate'
		const faults: [options: RateCardOptions, message: string][] = [
			[rates('0'), `${kuwait} "0" of Marketing must be above 0. Write n/a where there is no rate`],
			[rates('-0.5'), `${kuwait} "-0.5" of Marketing must be above 0. Write n/a where there is no rate`],
			[
				rates(''),
				`${kuwait} "" of Marketing is not a number with up to six decimals. Write n/a where there is no rate`,
			],
			[
				rates('abc'),
				`${kuwait} "abc" of Marketing is not a number with up to six decimals. Write n/a where there is no rate`,
			],
			[rates('100001'), `${kuwait} "100001" of Marketing is too large for one message. Check the decimal point`],
			[
				{ rows: { Kuwait: null } },
				'The file has no row for Kuwait. A rate card needs a row for every market: select the whole rate card',
			],
			[
				{ more: [['India', 'INR', '1', '1', '1', '1', '1']] },
				'Row 50 repeats the market India. Keep one row for each market',
			],
			[{ more: [['', 'INR', '1', '1', '1', '1', '1']] }, "Row 50 has rates but no market. Enter the market's name"],
			[{ currency: 'Rupees' }, `Row 3 (India): "RUPEES" is not a currency of WhatsApp's rate cards, such as INR`],
			[
				{ header: ['Market', 'Currency', 'Marketing'] },
				'The header in row 2 needs exactly one column "Utility". Select WhatsApp\'s rate card without changes',
			],
		]
		for (const [options, message] of faults) assert.equal(refusal(options), message)
		const mixed = rateCardRows().map((row) => (row[0] === 'Other' ? ['Other', 'USD', ...row.slice(2)] : row))
		assert.throws(() => readRateCard(mixed), /^AppError: Row 49 \(Other\) is in USD, but the rows before it are in INR/)
	})
})

test('readRateMicros reads up to six decimals exactly, and returns null for other texts', () => {
	const cells: [string, number | null][] = [
		['.8631', 863_100],
		['10.0073', 10_007_300],
		['0.000001', 1],
		['$0.0118', 11_800],
		['US$ 1', 1_000_000],
		['1,234.50', 1_234_500_000],
		['-2', -2_000_000],
		['1.5000000', 1_500_000],
		...['', '.', '0,8631', '1,234', '0.0000001', '1e3', '1.2.3', '٣', 'n/a', '5%', '9'.repeat(400)].map(
			(text): [string, null] => [text, null],
		),
	]
	for (const [text, micros] of cells) assert.equal(readRateMicros(text), micros, text)
})

test('rateFromMicros is the inverse of readRateMicros', () => {
	for (const micros of [1, 115_000, 863_100, 1_000_000, 10_007_300, 99_999_999_999])
		assert.equal(readRateMicros(String(rateFromMicros(micros)).replace('1e-6', '0.000001')), micros)
})
