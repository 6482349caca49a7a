import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { writeXlsx, type CellValue } from 'hucre/xlsx'
import { zip } from '#test/files/zip.ts'
import { readSpreadsheet, type SpreadsheetLimits } from './spreadsheet.ts'

let folder: string
before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let files = 0
async function read(bytes: Uint8Array, limits: Partial<SpreadsheetLimits> = {}): Promise<string[][]> {
	const path = join(folder, `${++files}.xlsx`)
	await writeFile(path, bytes)
	return readSpreadsheet(path, limits)
}

const book = (rows: CellValue[][]) => writeXlsx({ sheets: [{ name: 'Contacts', rows }] })
const HEADER = ['firstName', 'lastName', 'number']

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** A workbook whose one sheet is given as XML. */
function raw(sheet: string | Buffer, change: { claimedSize?: number } = {}): Buffer {
	const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
	const rel = (type: string, target: string) =>
		`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`
	return zip([
		{ name: '[Content_Types].xml', content: types },
		{ name: '_rels/.rels', content: rel('officeDocument', 'xl/workbook.xml') },
		{
			name: 'xl/workbook.xml',
			content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		},
		{ name: 'xl/_rels/workbook.xml.rels', content: rel('worksheet', 'worksheets/sheet1.xml') },
		{ name: 'xl/worksheets/sheet1.xml', content: sheet, ...change },
	])
}
const sheet = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`
const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`

suite('readSpreadsheet of an Excel file', () => {
	test('readSpreadsheet reads two files at a time, and all of those that come at once', async () => {
		const file = await book([HEADER])
		let [alive, most] = [0, 0]
		const count = (worker: Worker) => {
			most = Math.max(most, ++alive)
			worker.once('exit', () => alive--)
		}
		process.on('worker', count)
		const all = await Promise.all([
			...Array.from({ length: 4 }, () => read(file)),
			read(Buffer.alloc(0)).catch(() => [HEADER]),
			read(file),
		])
		process.off('worker', count)
		assert.deepEqual(
			all,
			Array.from({ length: 6 }, () => [HEADER]),
		)
		assert.equal(most, 2)
	})

	test('readSpreadsheet returns texts in any script, and numbers with all their digits', async () => {
		const rows = await read(await book([HEADER, ['अमिता', 'शर्मा', 919876543210], ['Ravi', null, '9812345678']]))
		assert.deepEqual(rows.slice(0, 3), [HEADER, ['अमिता', 'शर्मा', '919876543210'], ['Ravi', '', '9812345678']])
	})
	test('readSpreadsheet returns the value of a formula, not the formula', async () => {
		const cell = '<c r="A1" t="str"><f>"As"&amp;"ha"</f><v>Asha</v></c><c r="B1"><f>9E9+1</f><v>9000000001</v></c>'
		assert.deepEqual(await read(raw(sheet(`<row r="1">${cell}</row>`))), [['Asha', '9000000001']])
	})
	test('readSpreadsheet keeps the place of empty rows', async () => {
		const rows = await read(raw(sheet(`<row r="1">${text('A1', 'a')}</row><row r="4">${text('A4', 'b')}</row>`)))
		assert.deepEqual(rows, [['a'], [], [], ['b']])
	})
	test('readSpreadsheet cuts a sheet whose last cell is in column 16,384 to at most 100 columns', async () => {
		const rows = await read(raw(sheet(`<row r="1">${text('A1', 'a')}${text('XFD1', 'far')}</row>`)))
		assert.equal(rows[0]?.[0], 'a')
		assert.ok((rows[0]?.length ?? 0) <= 100)
	})
	test('readSpreadsheet reads all of 20,000 rows', async () => {
		const rows = await read(
			await book(Array.from({ length: 20_000 }, (_, index) => [`N${index}`, 'x', 9_000_000_000 + index])),
		)
		assert.equal(rows.length, 20_000)
		assert.deepEqual(rows.at(-1), ['N19999', 'x', '9000019999'])
	})
})

const refusals: {
	name: string
	file: () => Buffer | Promise<Uint8Array>
	says: RegExp
	limits?: Partial<SpreadsheetLimits>
}[] = [
	{ name: 'nothing', file: () => Buffer.alloc(0), says: /not an Excel file/ },
	{ name: 'a text', file: () => Buffer.from('firstName,number\nAsha,9876543210\n'), says: /not an Excel file/ },
	{
		name: 'the first half of a file',
		file: async () => (await book([HEADER])).subarray(0, 800),
		says: /not an Excel file/,
	},
	{ name: 'a zip without a workbook', file: () => zip([{ name: 'a.txt', content: 'a' }]), says: /not an Excel file/ },
	{ name: 'an empty zip', file: () => zip([]), says: /not an Excel file/ },
	{
		name: 'a file with a password',
		file: () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, ...Array<number>(600).fill(0)]),
		says: /old or protected/,
	},
	{ name: 'a sheet that is no XML', file: () => raw('\u0001 not XML at all <<<'), says: /not an Excel file|is empty/ },
	{
		name: 'more rows than allowed',
		file: () => book(Array.from({ length: 50 }, (_, index) => [index])),
		says: /at most 40 rows/,
		limits: { rows: 40 },
	},
	{
		name: 'a row numbered a million',
		file: () => raw(sheet(`<row r="1000000">${text('A1000000', 'a')}</row>`)),
		says: /at most 2,00,000 rows/,
	},
	{
		name: 'a cell longer than any in Excel',
		file: () => raw(sheet(`<row r="1">${text('A1', 'x'.repeat(32_768))}</row>`)),
		says: /A cell of this Excel file has more than 32,767 characters/,
	},
	{
		name: 'a bomb that says how large it is',
		file: () => raw(Buffer.alloc(400 * 1024 * 1024)),
		says: /too large when unpacked/,
	},
	{
		name: 'a bomb that lies about its size',
		file: () => raw(Buffer.alloc(400 * 1024 * 1024), { claimedSize: 100 }),
		says: /too large when unpacked/,
	},
	{
		name: 'a hundred parts that are a bomb together',
		file: () =>
			zip(Array.from({ length: 100 }, (_, part) => ({ name: `${part}`, content: Buffer.alloc(4 * 1024 * 1024) }))),
		says: /too large when unpacked/,
	},
	{
		name: 'three thousand parts',
		file: () => zip(Array.from({ length: 3000 }, (_, part) => ({ name: `${part}`, content: '' }))),
		says: /too large when unpacked/,
	},
	{ name: 'more than the memory holds', file: () => book([HEADER]), says: /too large/, limits: { memoryMb: 4 } },
	{
		name: 'what takes too long',
		file: async () => book(Array.from({ length: 20_000 }, (_, index) => [`N${index}`])),
		says: /not an Excel file/,
		limits: { timeMs: 20 },
	},
]

suite('readSpreadsheet of a file that is no table, or too large a one', () => {
	for (const { name, file, says, limits } of refusals) {
		test(`readSpreadsheet refuses ${name} with a message`, async () => {
			await assert.rejects(read(await file(), limits), (error: Error & { status?: number }) => {
				assert.equal(error.status, 400)
				assert.match(error.message, says)
				return true
			})
		})
	}
})
