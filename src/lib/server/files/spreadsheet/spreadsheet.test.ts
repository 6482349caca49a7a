import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import Papa from 'papaparse'
import { tableWorkbook, textRow, textsXml, workbook } from '#test/files/workbook.ts'
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

suite('spreadsheetToCsv in a process of its own', () => {
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
