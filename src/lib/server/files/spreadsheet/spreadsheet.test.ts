import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import Papa from 'papaparse'
import { UNUSUAL_WORKBOOKS } from '#test/files/unusual-workbooks.ts'
import {
	relations,
	sheetsXml,
	sheetXml,
	stylesXml,
	tableWorkbook,
	textRow,
	textsXml,
	workbook,
} from '#test/files/workbook.ts'
import { zip } from '#test/files/zip.ts'
import { spreadsheetToCsv } from './spreadsheet.ts'

let folder: string
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}.xlsx`)

async function read(bytes: Uint8Array, limits: Parameters<typeof spreadsheetToCsv>[1] = {}): Promise<string[][]> {
	const path = newPath()
	await writeFile(path, bytes)
	return rowsIn((await spreadsheetToCsv(path, limits)).csv)
}

async function rowsIn(csv: string): Promise<string[][]> {
	const text = await readFile(csv, 'utf8')
	assert.equal(text[0], '\uFEFF')
	const { data } = Papa.parse<string[]>(text.slice(1), { delimiter: ',', newline: '\r\n' })
	return data.slice(0, -1)
}

/** Returns the cell texts of one row, given as XML. */
async function cells(xml: string, change: Record<string, string | null> = {}): Promise<string[]> {
	const [row = []] = await read(workbook(`<row r="1">${xml}</row>`, change))
	return row
}

const HEADER = ['firstName', 'lastName', 'number']

const EXPLICIT_DATES = [
	['05/12/2026', '2026-12-05 17:45:00', '10:30:00'],
	['1900-02-28', '2026-12-06 0:00:00', '23:05:09'],
] as const

/** Dates and times of the two rows, in each program's formats. */
const SHOWN_DATES = {
	libreoffice: EXPLICIT_DATES,
	openpyxl: EXPLICIT_DATES,
	gnumeric: EXPLICIT_DATES,
	xlsxwriter: [
		['2026-12-05', '2026-12-05 17:45', '10:30:00 AM'],
		['1900-02-28', '2026-12-06', '11:05:09 PM'],
	],
} as const

suite('spreadsheetToCsv of files that other programs wrote', () => {
	for (const [program, dates] of Object.entries(SHOWN_DATES)) {
		test(`spreadsheetToCsv returns the shown cells of a workbook of ${program}`, async () => {
			const path = newPath()
			await copyFile(new URL(`../../../../../test/files/workbooks/${program}.xlsx`, import.meta.url), path)
			assert.deepEqual(await rowsIn((await spreadsheetToCsv(path)).csv), [
				['firstName', 'lastName', 'number', 'joined', 'due at', 'time', 'active', 'amount', 'note'],
				['अमिता', 'शर्मा', '919876543210', ...dates[0], 'TRUE', '8276075.02', ' two  spaces '],
				['Ravi', '', '09812345678', ...dates[1], 'FALSE', '0.1', 'line one\nline two'],
				[''],
				['Last', '', '919877000000'],
			])
		})
	}
})

/** Builds a workbook whose parts have other names and refer to each other from the root. */
const renamed = (rename: (name: string) => string) =>
	zip([
		{ name: rename('_rels/.rels'), content: relations([['officeDocument', '/xl/workbook.xml']]) },
		{ name: rename('xl/workbook.xml'), content: sheetsXml('<sheet r:id="rId1"/>') },
		{
			name: rename('xl/_rels/workbook.xml.rels'),
			content: relations([['worksheet', '/xl/worksheets/sheet1.xml']]),
		},
		{ name: rename('xl/worksheets/sheet1.xml'), content: sheetXml('<row><c><v>1</v></c></row>') },
	])

suite('spreadsheetToCsv of an Excel file', () => {
	test('spreadsheetToCsv reads all of many concurrent files, also next to refused ones', async () => {
		const all = await Promise.all([
			...Array.from({ length: 4 }, () => read(tableWorkbook([HEADER]))),
			read(Buffer.alloc(0)).catch(() => [HEADER]),
			read(tableWorkbook([HEADER])),
		])
		assert.deepEqual(
			all,
			Array.from({ length: 6 }, () => [HEADER]),
		)
	})
	test('spreadsheetToCsv reads a file when the system forbids a lower priority for its process', async (t) => {
		const refused = Object.assign(new Error('operation not permitted'), { code: 'ERR_SYSTEM_ERROR' })
		const asked = t.mock.method(os, 'setPriority', () => {
			throw refused
		})
		assert.deepEqual(await read(tableWorkbook([HEADER])), [HEADER])
		assert.equal(asked.mock.callCount(), 1)
	})
	test('a blank cell with the type text is empty, not the first shared text', async () => {
		const texts = textsXml('<si><t>firstName</t></si><si><t>Rao</t></si>')
		const xml = '<c t="s"><v>0</v></c><c t="s"><v/></c><c t="s"><v></v></c><c t="s"/><c t="s"><v>1</v></c>'
		assert.deepEqual(await cells(xml, { 'xl/sharedStrings.xml': texts }), ['firstName', '', '', '', 'Rao'])
	})
	test('a text is read completely whether plain, in runs, both, in CDATA or escaped, without its phonetic reading', async () => {
		const texts = textsXml(
			'<si><t>plain</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>runs</t></r></si><si><t>Asha</t><r><t> Rao</t></r></si>' +
				'<si><t><![CDATA[a < b]]></t></si><si><t>&amp;_x0041_</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si>',
		)
		const xml = [0, 1, 2, 3, 4, 5].map((at) => `<c t="s"><v>${at}</v></c>`).join('')
		const found = await cells(xml, { 'xl/sharedStrings.xml': texts })
		assert.deepEqual(found, ['plain', 'two runs', 'Asha Rao', 'a < b', '&A', '東京'])
	})
	test('formulas yield their value, booleans TRUE and FALSE; errors, missing values and unknown texts yield nothing', async () => {
		const xml =
			'<c t="str"><f>"As"&amp;"ha"</f><v>Asha</v></c><c><f>9E9+1</f><v>9000000001</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c>' +
			'<c t="e"><v>#N/A</v></c><c><f>A1</f></c><c t="s"><v>7</v></c><c t="inlineStr"><v>old</v></c><c t="d"><v>2026-12-05T17:45:00</v></c>'
		const expected = ['Asha', '9000000001', 'TRUE', 'FALSE', '', '', '', 'old', '2026-12-05 17:45']
		assert.deepEqual(await cells(xml), expected)
	})
	test('numbers keep all digits in the general format, and phone numbers also in exponent form', async () => {
		const numbers = ['919876543210', '9.19876543210E+11', '0.30000000000000004', '8276075.02', '-3', '1E-7', '1e21']
		const xml = `${numbers.map((number) => `<c s="0"><v>${number}</v></c>`).join('')}<c s="1"><v>9.19876543210E+11</v></c>`
		const found = await cells(xml, { 'xl/styles.xml': stylesXml(['General', '0.00E+00']) })
		const expected = [
			'919876543210',
			'919876543210',
			'0.3',
			'8276075.02',
			'-3',
			'0.0000001',
			'1000000000000000000000',
			'919876543210',
		]
		assert.deepEqual(found, expected)
	})
	test('cells keep columns and rows with and without references, also a row in two elements', async () => {
		const rows = await read(
			workbook(
				'<row><c r="B1"><v>1</v></c><c><v>2</v></c></row><row r="4"><c r="AB4"><v>3</v></c></row><row r="4"><c r="C4"><v>4</v></c></row>',
			),
		)
		const last = Array.from({ length: 28 }, (_, column) => ({ 27: '3', 2: '4' })[column] ?? '')
		assert.deepEqual(rows, [['', '1', '2'], [''], [''], last])
	})
	test('rows with formats alone do not count, however far down they are', async () => {
		const formatted = '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" t="s"><v/></c></row>'
		assert.deepEqual(await read(workbook(textRow(['a']) + formatted), { rows: 1 }), [['a']])
		const far = await read(workbook(`${textRow(['a'])}<row r="1048576"><c><v>1</v></c></row>`), { rows: 2 })
		assert.equal(far.length, 1_048_576)
	})
	test('spreadsheetToCsv reads the first visible sheet, not a chart or hidden sheet before it', async () => {
		const found = await cells('<c><v>1</v></c>', {
			'xl/workbook.xml': sheetsXml(
				'<sheet name="Chart" r:id="rId2"/><sheet name="Old" state="hidden" r:id="rId3"/><sheet name="A" r:id="rId1"/>',
			),
			'xl/_rels/workbook.xml.rels': relations([
				['worksheet', 'worksheets/sheet1.xml'],
				['chartsheet', 'chartsheets/sheet1.xml'],
				['worksheet', 'worksheets/sheet2.xml'],
			]),
			'xl/chartsheets/sheet1.xml': '<chartsheet/>',
			'xl/worksheets/sheet2.xml': sheetXml('<row><c><v>2</v></c></row>'),
		})
		assert.deepEqual(found, ['1'])
	})
	test('a workbook is read with prefixed or strict namespaces, absolute targets, backslashes, capitals or UTF-16', async () => {
		const prefixed = sheetXml('<row><c><v>1</v></c></row>')
			.replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
			.replace('xmlns', 'xmlns:x')
		const strict = sheetXml('<row><c><v>1</v></c></row>').replace(
			/"http:[^"]*"/,
			'"http://purl.oclc.org/ooxml/spreadsheetml/main"',
		)
		const books = [
			workbook(Buffer.from(prefixed)),
			workbook(Buffer.from(strict)),
			workbook(Buffer.from(`\uFEFF${prefixed}`, 'utf16le')),
			renamed((name) => name),
			renamed((name) => name.replaceAll('/', '\\')),
			renamed((name) => name.toUpperCase()),
		]
		for (const book of books) assert.deepEqual(await read(book), [['1']])
	})
	test('hidden rows and columns are counted, and are empty without withHidden', async () => {
		const sheet = `<worksheet><cols><col min="3" max="3" hidden="1"/><col min="9" max="9" width="0"/></cols><sheetData>
			${textRow(['Name', 'Mobile', 'City'])}${textRow(['Ravi', '2', 'Goa']).replace('<row', '<row hidden="1"')}
			<row hidden="true"/>${textRow(['Asha', '1', 'Pune'])}</sheetData></worksheet>`
		const path = newPath()
		await writeFile(path, workbook('', { 'xl/worksheets/sheet1.xml': sheet }))
		const shown = await spreadsheetToCsv(path)
		assert.deepEqual(shown.hidden, { rows: 1, columns: 1 })
		assert.deepEqual(await rowsIn(shown.csv), [['Name', 'Mobile'], [''], [''], ['Asha', '1']])
		const all = await spreadsheetToCsv(path, { withHidden: true })
		assert.deepEqual(all.hidden, { rows: 1, columns: 1 })
		assert.deepEqual(await rowsIn(all.csv), [
			['Name', 'Mobile', 'City'],
			['Ravi', '2', 'Goa'],
			[''],
			['Asha', '1', 'Pune'],
		])
	})
	for (const { name, file } of UNUSUAL_WORKBOOKS) {
		test(`spreadsheetToCsv reads a workbook ${name}`, async () => {
			assert.deepEqual(await read(file()), [['é', '2']])
		})
	}
	test('spreadsheetToCsv reads all of 20,000 rows', async () => {
		const rows = await read(
			tableWorkbook(Array.from({ length: 20_000 }, (_, index) => [`N${index}`, 'x', 9_000_000_000 + index])),
		)
		assert.equal(rows.length, 20_000)
		assert.deepEqual(rows.at(-1), ['N19999', 'x', '9000019999'])
	})
})

const ERROR = '<row><c t="e"><v>#VALUE!</v></c></row>'

suite('spreadsheetToCsv of an Excel file without a text, number or date', () => {
	const hidden = workbook('', {
		'xl/workbook.xml': sheetsXml('<sheet r:id="rId1"/><sheet state="hidden" r:id="rId2"/>'),
		'xl/_rels/workbook.xml.rels': relations([
			['worksheet', 'worksheets/sheet1.xml'],
			['worksheet', 'worksheets/sheet2.xml'],
		]),
		'xl/worksheets/sheet2.xml': sheetXml('<row><c><v>1</v></c></row>'),
	})
	for (const [what, book] of [
		['errors, as pictures in cells are stored,', workbook(ERROR)],
		[
			'formulas without a result',
			workbook('<row><c><f>A2</f></c><c t="str"><f t="array" ref="B1">A2</f><v></v></c></row>'),
		],
		['a hidden sheet beside an empty one', hidden],
	] as const)
		test(`spreadsheetToCsv does not call a workbook with only ${what} empty`, () =>
			assert.rejects(read(book), { message: /^This Excel file shows no text, number or date\./ }))
	test('spreadsheetToCsv calls a workbook with only blank or formatted cells empty', () =>
		assert.rejects(read(workbook(`${textRow([' '])}<row><c s="1"/><c t="s"><v/></c></row>`)), {
			message: 'This Excel file is empty',
		}))
})

const refusals: { name: string; file: () => Buffer; says: RegExp; limits: Parameters<typeof spreadsheetToCsv>[1] }[] = [
	{
		name: 'more rows than allowed',
		file: () => tableWorkbook(Array.from({ length: 50 }, (_, index) => [index])),
		says: /at most 40 rows/,
		limits: { rows: 40 },
	},
	{
		name: 'more characters than allowed, the places of empty cells among them',
		file: () => workbook('<row><c r="A1"><v>1</v></c><c r="Z1"><v>1</v></c></row>'.repeat(10)),
		says: /more than 270 characters/,
		limits: { characters: 270 },
	},
	{
		name: 'more than the memory holds',
		file: () => workbook('', { 'xl/sharedStrings.xml': textsXml('<si><t>a</t></si>'.repeat(1_000_000)) }),
		says: /too large/,
		limits: { memoryMb: 8 },
	},
	{
		name: 'what takes too long',
		file: () => tableWorkbook(Array.from({ length: 50_000 }, (_, index) => [`N${index}`])),
		says: /takes too long/,
		limits: { timeMs: 50 },
	},
]

suite('spreadsheetToCsv of a file that exceeds a limit', () => {
	for (const { name, file, says, limits } of refusals) {
		test(`spreadsheetToCsv refuses ${name} with a message`, async () => {
			await assert.rejects(read(file(), limits), (error: Error & { status?: number }) => {
				assert.equal(error.status, 400)
				assert.match(error.message, says)
				return true
			})
		})
	}
})
