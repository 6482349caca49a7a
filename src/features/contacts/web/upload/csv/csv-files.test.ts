import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Columns } from '#features/contacts/columns.ts'
import { SHORTENED } from '#features/contacts/rules.ts'
import { AppError } from '#lib/app-error.ts'
import { openCsv } from '#lib/files/csv-table.ts'
import { readContacts, sendableOf, type ContactsFile, type RowState } from './contacts-file.ts'
import { errorReport } from './csv-report.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, order: 'le' | 'be', mark = true) => {
	const bytes = Buffer.from(mark ? `\uFEFF${text}` : text, 'utf16le')
	return new Uint8Array(order === 'le' ? bytes : bytes.swap16())
}
/** Yields the file in pieces that cut rows, line ends and characters. */
async function* piecesOf(bytes: Uint8Array, size: number) {
	for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const open = async (bytes: Uint8Array, columns?: Columns): Promise<ContactsFile> =>
	readContacts(await openCsv(() => piecesOf(bytes, bytes.length > 2000 ? 65_536 : 7)), { chosen: columns })

const NONE = { new: 0, update: 0, unlikely: 0, refused: 0, duplicate: 0, dropped: 0 }
const H = 'firstName,lastName,number\n'
const A = 'Asha,Rao,9876543210'
const B = 'Ravi,,9812345678'

interface Case {
	name: string
	file: string | Uint8Array
	/** Number of rows by state; 0 for a state that is not named. */
	counts?: Partial<Record<RowState, number>>
	/** Rows that are sent: first name, last name, number. */
	sends?: string[]
	/** Error for the whole file. */
	error?: RegExp
	reason?: RegExp
}

const one = { counts: { new: 1 }, sends: ['Asha|Rao|9876543210'] }
const nameAlone = { counts: { new: 1 }, sends: ['Asha||9876543210'] }
const two = { counts: { new: 2 }, sends: ['Asha|Rao|9876543210', 'Ravi||9812345678'] }

const cases: Case[] = [
	{ name: 'plain', file: `${H}${A}\n${B}\n`, ...two },
	{ name: 'no line end at the end', file: `${H}${A}\n${B}`, ...two },
	{ name: 'CRLF', file: `${H}${A}\n${B}\n`.replaceAll('\n', '\r\n'), ...two },
	{ name: 'old Mac line ends', file: `${H}${A}\n${B}\n`.replaceAll('\n', '\r'), ...two },
	{ name: 'line ends of all kinds in one file', file: `firstName,lastName,number\r\n${A}\n${B}\r`, ...two },
	{ name: 'a byte order mark', file: `\uFEFF${H}${A}\n`, ...one },
	{ name: 'UTF-16, little end first', file: utf16(`${H}${A}\n${B}\n`, 'le'), ...two },
	{ name: 'UTF-16, big end first', file: utf16(`${H}${A}\n${B}\n`, 'be'), ...two },
	{ name: 'UTF-16 without a mark', file: utf16(`${H}${A}\n${B}\n`, 'le', false), ...two },
	{
		name: 'UTF-16 with tabs, as Excel saves "Unicode text"',
		file: utf16(`${H}${A}\n`.replaceAll(',', '\t'), 'le'),
		...one,
	},
	{
		name: 'the character set of old Excel',
		file: new Uint8Array(Buffer.from(`${H}Ren\xe9,Rao,9876543210\n`, 'latin1')),
		counts: { new: 1 },
		sends: ['René|Rao|9876543210'],
	},
	{ name: 'semicolons', file: `${H}${A}\n${B}\n`.replaceAll(',', ';'), ...two },
	{ name: 'semicolons between two columns', file: 'firstName;number\nAsha;9876543210\n', ...nameAlone },
	{ name: 'tabs', file: `${H}${A}\n${B}\n`.replaceAll(',', '\t'), ...two },
	{ name: 'pipes', file: `${H}${A}\n${B}\n`.replaceAll(',', '|'), ...two },
	{ name: 'a first line that names the separator', file: `sep=;\n${H}${A}\n`.replaceAll(',', ';'), ...one },
	{
		name: 'quotes, commas, line breaks and doubled quotes within a name',
		file: `${H}"Asha ""A"", the\nfirst","Rao, Sr.",9876543210\n`,
		counts: { new: 1 },
		sends: ['Asha "A", the first|Rao, Sr.|9876543210'],
	},
	{
		name: 'a quote that is never closed',
		file: `${H}${A}\n"Ravi,,9812345678\n${A}\n`,
		error: /quote that opens in row 3 is never closed/,
	},
	{
		name: 'headers in another case and order, with spaces',
		file: `Mobile No., LAST NAME ,First Name\n9876543210,Rao,Asha\n`,
		...one,
	},
	{ name: 'headers of a phone book', file: `Given Name,Family Name,Phone 1 - Value\nAsha,Rao,9876543210\n`, ...one },
	{
		name: 'an export of Google Contacts',
		file: `First Name,Middle Name,Last Name,Phonetic First Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value
Asha,,Rao,,* myContacts,* Home,asha@example.com,Mobile,9876543210\n`,
		...one,
	},
	{
		name: 'an export of Outlook',
		file: `First Name,Last Name,Assistant's Phone,Business Phone,Home Phone,Mobile Phone\nAsha,Rao,,,,9876543210\n`,
		...one,
	},
	{
		name: 'headers as shops in India write them',
		file: `S.No.,Party Name,Mob. No.\n1,Asha,9876543210\n`,
		...nameAlone,
	},
	{ name: 'headers in Hindi', file: `ग्राहक का नाम,फोन नंबर\nAsha,9876543210\n`, ...nameAlone },
	{
		name: 'a title above the headers',
		file: `Customers of November,,\n,,\nPune store,,2 people\nFirst Name,Last Name,Mobile No\n${A}\n${B}\n`,
		...two,
	},
	{ name: 'a landline before the mobile', file: `Name,Ph No,Mobile No\nAsha,0202345678,9876543210\n`, ...nameAlone },
	{ name: 'the name of a child first', file: `Student Name,Contact Name,Mobile\nRiya,Asha,9876543210\n`, ...nameAlone },
	{
		name: 'a question after the number',
		file: `Name,Phone (home),WhatsApp group?\nAsha,9876543210,yes\n`,
		...nameAlone,
	},
	{ name: 'a shop called like a header', file: 'Mobile Care,9876543210', sends: ['Mobile Care||9876543210'] },
	{ name: 'one column for the name', file: `Name,WhatsApp Number\nAsha,9876543210\n`, ...nameAlone },
	{ name: 'no headers', file: `${A}\n${B}\n`, ...two },
	{ name: 'headers that say nothing', file: `a,b,c\n${A}\n`, counts: { dropped: 1 } },
	{
		name: 'ten columns too many, in the header as well',
		file: `${H.trim()},${'x,'.repeat(9)}x\n${A},${'y,'.repeat(9)}y\n`,
		...one,
	},
	{
		name: 'ten columns too many, in one row',
		file: `${H}${A},${'y,'.repeat(9)}y\n${B}\n`,
		counts: { new: 1, dropped: 1 },
		reason: /13 columns, the header 3/,
	},
	{
		name: 'a comma without quotes, which moves the number',
		file: `${H}Asha,Rao, Sr.,9876543210\n`,
		counts: { dropped: 1 },
		reason: /put quotes/,
	},
	{ name: 'empty columns at the end', file: `firstName,lastName,number,,,\n${A},,,\n`, ...one },
	{
		name: 'rows that end early',
		file: `${H}Asha\n${B}\nRavi,Das\n`,
		counts: { new: 1, dropped: 2 },
		reason: /First name and number are required/,
	},
	{ name: 'empty rows, and rows of commas and spaces', file: `\n\n${H}\n,,\n  , ,\n${A}\n\n`, ...one },
	{ name: 'no name, no number', file: `${H},Rao,9876543210\nAsha,Rao,\n${B}\n`, counts: { new: 1, dropped: 2 } },
	{
		name: 'duplicates in other spellings',
		file: `${H}${A}\nB,,+91 98765-43210\nC,,09876543210\nD,,00919876543210\n`,
		counts: { new: 1, duplicate: 3 },
		reason: /same number as in row 2/,
	},
	{
		name: 'a number that Excel has shortened',
		file: `${H}Asha,Rao,9.19E+11\n`,
		counts: { refused: 1 },
		reason: new RegExp(SHORTENED),
	},
	{
		name: 'the same with a comma for a point',
		file: `${H}Asha,Rao,"9,19E+11"\n`,
		counts: { refused: 1 },
		reason: new RegExp(SHORTENED),
	},
	{
		name: 'an exponent that keeps all digits',
		file: `${H}Asha,Rao,9.19876543210E+11\n`,
		counts: { new: 1 },
		sends: ['Asha|Rao|919876543210'],
	},
	{ name: 'an apostrophe in front', file: `${H}Asha,Rao,'9876543210\n`, ...one },
	{ name: 'a number as a formula text', file: `${H}Asha,Rao,"=""9876543210"""\n`, ...one },
	{ name: 'a number with decimals', file: `${H}Asha,Rao,9876543210.0\n`, ...one },
	{
		name: '0091 and spaces',
		file: `${H}Asha,Rao,0091 98765 43210\n`,
		counts: { new: 1 },
		sends: ['Asha|Rao|0091 98765 43210'],
	},
	{ name: 'Devanagari digits', file: `${H}Asha,Rao,९८७६५४३२१०\n`, ...one },
	{ name: 'Bengali and Arabic digits', file: `${H}Asha,Rao,৯৮৭৬৫৪৩২১০\nRavi,,٩٨١٢٣٤٥٦٧٨\n`, ...two },
	{ name: 'marks that nobody sees', file: `${H}\u200bAsha,Rao\u00a0,\u202a9876543210\u202c\n`, counts: { new: 1 } },
	{
		name: 'control characters and zero bytes in a name',
		file: `${H}As\0ha\u0007,Rao,9876543210\n`,
		counts: { new: 1 },
		sends: ['As ha|Rao|9876543210'],
	},
	{
		name: 'words for a number',
		file: `${H}Asha,Rao,call me\n`,
		counts: { refused: 1 },
		reason: /Invalid phone number format/,
	},
	{ name: 'two numbers', file: `${H}Asha,,9876543210 / 9812345678\n`, counts: { new: 1 }, reason: /second .*45678$/ },
	{
		name: 'a name that is longer than a contact can have',
		file: `${H}${'A'.repeat(101)},Rao,9876543210\n`,
		counts: { refused: 1 },
		reason: /First name is too long/,
	},
	{ name: 'a landline', file: `${H}Asha,Rao,+91 22 2654 1000\n`, counts: { unlikely: 1 }, reason: /mobile/ },
	{
		name: 'a number that is shorter than any in the world',
		file: `${H}Asha,Rao,12\nRavi,,+91 12345\n`,
		counts: { refused: 2 },
		reason: /^Invalid phone number format\nInvalid/,
	},
	{
		name: 'a number twice, first with a name that is too long',
		file: `${H}${'A'.repeat(101)},Rao,9876543210\n${A}\n`,
		counts: { refused: 1, new: 1 },
	},
	{ name: 'formulas', file: `${H}=HYPERLINK("http://x"),Rao,9876543210\n`, counts: { new: 1 } },
	{ name: 'nothing', file: '', error: /empty/ },
	{ name: 'a mark and nothing', file: '\uFEFF', error: /No valid contacts found in CSV/ },
	{ name: 'only headers', file: H, counts: {} },
	{ name: 'an Excel file by another name', file: utf8('PK\u0003\u0004 and so on'), error: /Excel or zip file/ },
	{ name: 'an old Excel file', file: new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), error: /old Excel file/ },
	{ name: 'a picture', file: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2]), error: /not a CSV file/ },
	{ name: 'a line of 5 MB', file: 'x'.repeat(5_000_000), error: /Row 1 has more than 10,00,000 characters/ },
	{
		name: 'a name of half a megabyte',
		file: `${H}${'x'.repeat(500_000)},Rao,9876543210\n${B}\n`,
		counts: { new: 1, refused: 1 },
	},
	{ name: '20,000 columns', file: `${'a,'.repeat(20_000)}b\n${A}\n`, error: /more than 1,000 columns/ },
	// Only the last row is not empty: two million contacts would take seconds.
	{ name: 'more than two million rows', file: `${H}${'\n'.repeat(2_000_000)}${A}`, error: /more than 20,00,000 rows/ },
	{ name: 'random bytes', file: Uint8Array.from({ length: 20_000 }, (_, index) => 1 + ((index * 7919) % 255)) },
	{
		name: 'a quarter of a million rows',
		file: H + Array.from({ length: 250_000 }, (_, index) => `N${index},,9${String(index).padStart(9, '0')}`).join('\n'),
		counts: { new: 250_000 },
	},
]

suite('the CSV reader', () => {
	for (const { name, file, counts, sends, error, reason } of cases) {
		test(`the CSV reader ${error ? 'refuses' : 'classifies the rows of'} a file with: ${name}`, async () => {
			const reading = open(typeof file === 'string' ? utf8(file) : file)
			if (error) return assert.rejects(reading, (thrown) => thrown instanceof AppError && error.test(thrown.message))
			const found = await reading
			const sendable = sendableOf(found)
			const states = { ...NONE }
			for (const { state } of found.rows) states[state]++
			if (counts) assert.deepEqual(states, { ...NONE, ...counts })
			assert.equal(sendable.length, found.rows.length - states.duplicate - states.dropped)
			if (sends)
				assert.deepEqual(
					sendable.map((row) => [row.firstName, row.lastName, row.number].join('|')),
					sends,
				)
			if (reason)
				assert.match(
					found.rows
						.slice(0, 10)
						.map((row) => row.reason)
						.join('\n'),
					reason,
				)
		})
	}
})

test('readContacts uses the chosen columns instead of the columns that their headers name', async () => {
	const columns = { firstName: 1, lastName: null, number: 0, hasHeader: true }
	const { rows } = await open(utf8('a,b\n9876543210,Asha\n'), columns)
	const typed = { firstName: 'Asha', lastName: '', number: '9876543210' }
	assert.deepEqual(rows, [
		{ row: 2, ...typed, canonical: '919876543210', state: 'new', reason: null, note: null, retained: [] },
	])
})

test('errorReport lists every refused row with its reason, and escapes cells that a spreadsheet would run as formulas', async () => {
	const file = await open(utf8(`${H}=1+1,,123\n${A}\nTwin,,9876543210\n,,5\n`))
	const report = errorReport(file, [{ index: 0, reason: 'Invalid phone number format' }])
	assert.deepEqual(report.slice(1).split('\r\n'), [
		'firstName,lastName,number,row,reason',
		`"'=1+1",,123,2,Invalid phone number format`,
		'Twin,,9876543210,4,The same number as in row 3',
		',,5,5,First name and number are required',
		'',
	])
})

for (const [what, row] of [
	['opens a quote that nothing closes', '"Asha,Rao,9876543210\n'],
	['has a quote within a text', 'As,"Ra,9876543210\n'],
	['has a text after a closing quote', '"As"ha,Rao,9876543210\n'],
	['has quotes without end in one cell', '"a" b '.repeat(1000)],
] as const) {
	test(`readContacts refuses a file of 30 MB in which each row ${what}, after 3 MB of it`, async () => {
		const piece = utf8(row.repeat(Math.ceil(65_536 / row.length)))
		let read = 0
		const endless = async function* () {
			for (read = 0; read < 30_000_000; read += piece.length) yield piece
		}
		await assert.rejects(async () => readContacts(await openCsv(endless)), /is never closed/)
		assert.ok(read < 3_000_000, String(read))
	})
}
