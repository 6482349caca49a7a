import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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
import { DEFAULT_LIMITS, type SpreadsheetLimits } from './limits.ts'
import { sheetToCsv } from './sheet-to-csv.ts'

let folder: string
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}.xlsx`)

/** Returns the cells of a workbook, which is read in this process: a process of its own takes a quarter of a second to start. */
async function read(bytes: Uint8Array, limits: Partial<SpreadsheetLimits> = {}): Promise<string[][]> {
	const path = newPath()
	const csv = `${path}.csv`
	await writeFile(path, bytes)
	await sheetToCsv(path, csv, { ...DEFAULT_LIMITS, ...limits })
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

suite('sheetToCsv of an Excel file', () => {
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
	test('rows with only formats do not count, however far down they are', async () => {
		const formatted = '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" t="s"><v/></c></row>'
		assert.deepEqual(await read(workbook(textRow(['a']) + formatted), { rows: 1 }), [['a']])
		const far = await read(workbook(`${textRow(['a'])}<row r="1048576"><c><v>1</v></c></row>`), { rows: 2 })
		assert.equal(far.length, 1_048_576)
	})
	test('sheetToCsv reads the first visible sheet, not a chart or hidden sheet before it', async () => {
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
	for (const { name, file } of UNUSUAL_WORKBOOKS) {
		test(`sheetToCsv reads a workbook ${name}`, async () => {
			assert.deepEqual(await read(file()), [['é', '2']])
		})
	}
	test('sheetToCsv reads all of 20,000 rows', async () => {
		const rows = await read(
			tableWorkbook(Array.from({ length: 20_000 }, (_, index) => [`N${index}`, 'x', 9_000_000_000 + index])),
		)
		assert.equal(rows.length, 20_000)
		assert.deepEqual(rows.at(-1), ['N19999', 'x', '9000019999'])
	})
})

const ERROR = '<row><c t="e"><v>#VALUE!</v></c></row>'

suite('sheetToCsv of an Excel file without a text, number or date', () => {
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
		test(`sheetToCsv does not call a workbook with only ${what} empty`, () =>
			assert.rejects(read(book), { message: /^This Excel file shows no text, number or date\./ }))
	test('sheetToCsv calls a workbook with only blank or formatted cells empty', () =>
		assert.rejects(read(workbook(`${textRow([' '])}<row><c s="1"/><c t="s"><v/></c></row>`)), {
			message: 'This Excel file is empty',
		}))
})
