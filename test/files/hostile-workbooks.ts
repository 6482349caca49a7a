import { relations, sheetsXml, sheetXml, stylesXml, textRow, textsXml, workbook, workbookParts } from './workbook.ts'
import { zip } from './zip.ts'

/** A file that is meant to harm its reader, and the start of the refusal; null if the file is read without harm. */
export interface HostileWorkbook {
	name: string
	file: () => Buffer
	says: RegExp | null
}

const NO_EXCEL = /^This is not an Excel file that can be read/
const TOO_LARGE = /^This Excel file is too large/
/** Refusal of a file that reaches its limit of size only after seconds, which a busy machine may first call too slow. */
const TOO_LARGE_OR_SLOW = /^This Excel file (?:is too large|takes too long)/
const PROTECTED = /^This is an old or protected Excel file/
const MANY_CHARACTERS = /^This Excel file has more than 3,00,00,000 characters/
const EMPTY = /^This Excel file is empty/
const WIDE = /^This Excel file has more than 1,000 columns/

const MB = 1024 * 1024
const ROW = '<row><c t="inlineStr"><is><t>number</t></is></c></row><row><c><v>9876543210</v></c></row>'
const ENTITIES = `<!DOCTYPE sst [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY ${'bcdefghij'[at]} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`
const EXTERNAL = '<!DOCTYPE sst [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
const REPEATED = '<row>' + '<c t="s"><v>0</v></c>'.repeat(20) + '</row>'
const texts = (xml: string) => ({ 'xl/sharedStrings.xml': xml })
const sheet = (xml: string | Buffer, change = {}) => workbook(typeof xml === 'string' ? Buffer.from(xml) : xml, change)
const bombOf = (name: string, megabytes: number) => ({ name, content: Buffer.alloc(megabytes * MB) })
const good = () => workbook(ROW)
const PICTURE = Buffer.alloc(4 * MB)
const PICTURES = Array.from({ length: 100 }, (_, at) => `xl/media/${at}.png`)
/** Sheet above the limit of a sheet's size. */
const LARGE_SHEET = Buffer.alloc(310 * MB, ' ')

const texted: HostileWorkbook[] = [
	{
		name: 'a text of 3,000 characters in 2 million cells',
		file: () => workbook(REPEATED.repeat(100_000), texts(textsXml(`<si><t>${'x'.repeat(3000)}</t></si>`))),
		says: MANY_CHARACTERS,
	},
	{
		name: 'a text of 32,000 characters in a row of 1,000 cells',
		file: () =>
			workbook(
				`<row>${'<c t="s"><v>0</v></c>'.repeat(1000)}</row>`,
				texts(textsXml(`<si><t>${'x'.repeat(32_000)}</t></si>`)),
			),
		says: /^A row of this Excel file has more than 4,00,000 characters/,
	},
	{ name: 'a cell of 32,768 characters', file: () => workbook(textRow(['x'.repeat(32_768)])), says: /^A cell of this/ },
	{
		name: 'a cell of 40 MB',
		file: () => workbook(textRow(['x'.repeat(40 * MB)])),
		says: /^A cell of this|too large/,
	},
	{
		name: '3 million texts',
		file: () => workbook(ROW, texts(textsXml('<si><t>123456789</t></si>'.repeat(3_100_000)))),
		says: TOO_LARGE_OR_SLOW,
	},
	{
		name: 'a million empty texts',
		file: () => workbook(ROW, texts(textsXml('<si/>'.repeat(1_000_000)))),
		says: null,
	},
	{
		name: 'a text of a million runs',
		file: () => workbook(ROW, texts(textsXml(`<si>${'<r><t>a</t></r>'.repeat(1_000_000)}</si>`))),
		says: /^A cell of this/,
	},
	{
		name: 'entities within entities',
		file: () => workbook(ROW, texts(`${ENTITIES}<sst><si><t>&j;</t></si></sst>`)),
		says: NO_EXCEL,
	},
	{
		name: 'entities within entities, in the sheet',
		file: () => sheet(`${ENTITIES}${sheetXml(textRow(['&j;']))}`),
		says: NO_EXCEL,
	},
	{
		name: 'an entity that names a file',
		file: () => sheet(`${EXTERNAL}${sheetXml(textRow(['&file;']))}`),
		says: NO_EXCEL,
	},
	{
		name: 'a document type of 30 MB',
		file: () => sheet(`<!DOCTYPE a [${' '.repeat(30 * MB)}]>${sheetXml(ROW)}`),
		says: null,
	},
]

const shaped: HostileWorkbook[] = [
	{ name: 'a million columns', file: () => workbook(`<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`), says: WIDE },
	{ name: 'a cell in the last column', file: () => workbook('<row><c r="XFD1"><v>1</v></c></row>'), says: WIDE },
	{ name: 'a column that no sheet has', file: () => workbook('<row><c r="ZZZ1"><v>1</v></c></row>'), says: WIDE },
	{
		name: 'a cell name of 10 MB',
		file: () => workbook(`<row><c r="${'A'.repeat(10 * MB)}1"><v>1</v></c></row>`),
		says: NO_EXCEL,
	},
	{ name: 'a row after the last', file: () => workbook('<row r="1048577"><c><v>1</v></c></row>'), says: NO_EXCEL },
	{ name: 'a row number without end', file: () => workbook('<row r="1e999"><c><v>1</v></c></row>'), says: NO_EXCEL },
	{ name: 'a row below zero', file: () => workbook('<row r="-5"><c><v>1</v></c></row>'), says: NO_EXCEL },
	{
		name: 'rows out of order',
		file: () => workbook('<row r="9"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>'),
		says: NO_EXCEL,
	},
	{
		name: '200,001 rows',
		file: () => workbook('<row><c><v>1</v></c></row>'.repeat(200_001)),
		says: /at most 2,00,000 rows/,
	},
	{ name: '2 million empty rows', file: () => workbook('<row/>'.repeat(2_000_000)), says: NO_EXCEL },
	{
		name: 'two rows a million apart',
		file: () => workbook(`${ROW}<row r="1048576"><c><v>9</v></c></row>`),
		says: null,
	},
	{
		name: 'a million cells with only a style',
		file: () => workbook(`${ROW}${`<row>${'<c s="1"/>'.repeat(1000)}</row>`.repeat(1000)}`),
		says: null,
	},
	{
		name: '200 million commas',
		file: () => workbook('<row><c r="ALL1"><v>1</v></c></row>'.repeat(200_000)),
		says: MANY_CHARACTERS,
	},
	{
		name: 'a dimension of the whole sheet',
		file: () => sheet(sheetXml(ROW).replace('<sheetData>', '<dimension ref="A1:XFD1048576"/><sheetData>')),
		says: null,
	},
	{ name: 'a million elements within each other', file: () => workbook('<a>'.repeat(1_000_000)), says: NO_EXCEL },
	{
		name: 'an element of 200,000 attributes',
		file: () => workbook(`<row ${Array.from({ length: 200_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`),
		says: EMPTY,
	},
	{
		name: 'a cell within a cell',
		file: () => workbook(`<row>${'<c><v>'.repeat(40)}1${'</v></c>'.repeat(40)}</row>${ROW}`),
		says: null,
	},
	{
		name: 'a number of 10 million digits',
		file: () => workbook(`<row><c><v>${'9'.repeat(10 * MB)}</v></c></row>`),
		says: /^A cell of this/,
	},
	{
		name: 'a number format of 10 MB',
		file: () => workbook('<row><c s="0"><v>1</v></c></row>', { 'xl/styles.xml': stylesXml(['d'.repeat(10 * MB)]) }),
		says: null,
	},
	{
		name: 'a million styles',
		file: () =>
			workbook(ROW, {
				'xl/styles.xml': `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(1_000_000)}</cellXfs></styleSheet>`,
			}),
		says: null,
	},
	{
		name: 'formulas that call programs',
		file: () => workbook(`<row><c t="str"><f>cmd|'/c calc'!A1</f><v>=cmd|'/c calc'!A1</v></c></row>${ROW}`),
		says: null,
	},
	{ name: 'no XML', file: () => sheet('\u0001 not XML at all <<<'), says: NO_EXCEL },
	{ name: 'XML that ends in the middle', file: () => sheet(sheetXml(ROW).slice(0, -40)), says: NO_EXCEL },
	{ name: 'no sheet', file: () => workbook(ROW, { 'xl/workbook.xml': sheetsXml('') }), says: NO_EXCEL },
	{ name: 'an empty sheet', file: () => workbook(''), says: EMPTY },
]

const linked: HostileWorkbook[] = [
	{
		name: 'relations that lead in a circle',
		file: () => workbook(ROW, { '_rels/.rels': relations([['officeDocument', '_rels/.rels']]) }),
		says: NO_EXCEL,
	},
	{
		name: 'a workbook that is its own sheet',
		file: () => workbook(ROW, { 'xl/_rels/workbook.xml.rels': relations([['worksheet', 'workbook.xml']]) }),
		says: EMPTY,
	},
	{
		name: 'a sheet outside of the file',
		file: () => workbook(ROW, { 'xl/_rels/workbook.xml.rels': relations([['worksheet', '../../../../etc/passwd']]) }),
		says: NO_EXCEL,
	},
	{
		name: 'a sheet on another machine',
		file: () =>
			workbook(ROW, { 'xl/_rels/workbook.xml.rels': relations([['worksheet', 'http://127.0.0.1:9/sheet.xml']]) }),
		says: NO_EXCEL,
	},
	{
		name: 'a million relations',
		file: () =>
			workbook(ROW, { '_rels/.rels': relations(Array.from({ length: 1_000_000 }, () => ['image', 'a.png'] as const)) }),
		says: TOO_LARGE,
	},
	{
		name: 'external links',
		file: () => workbook(ROW, { 'xl/externalLinks/externalLink1.xml': '<externalLink/>' }),
		says: null,
	},
]

const zipped: HostileWorkbook[] = [
	{ name: 'nothing', file: () => Buffer.alloc(0), says: NO_EXCEL },
	{ name: 'a text', file: () => Buffer.from('firstName,number\nAsha,9876543210\n'), says: NO_EXCEL },
	{
		name: 'an old Excel file',
		file: () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, ...Array<number>(600).fill(0)]),
		says: PROTECTED,
	},
	{ name: 'the first half of a file', file: () => good().subarray(0, 800), says: NO_EXCEL },
	{ name: 'a file without its beginning', file: () => good().subarray(200), says: NO_EXCEL },
	{ name: 'an empty zip', file: () => zip([]), says: NO_EXCEL },
	{
		name: 'a workbook in a zip in a zip',
		file: () => zip([{ name: 'a.zip', content: zip([{ name: 'a.xlsx', content: good() }]) }]),
		says: NO_EXCEL,
	},
	{
		name: 'parts with a password',
		file: () => zip(workbookParts(ROW).map((part) => ({ ...part, isEncrypted: true }))),
		says: PROTECTED,
	},
	{ name: 'a sheet of 310 MB', file: () => sheet(LARGE_SHEET), says: TOO_LARGE_OR_SLOW },
	{
		name: 'a sheet of 310 MB that claims 100 bytes',
		file: () =>
			zip(
				workbookParts(LARGE_SHEET).map((part) =>
					part.name.endsWith('sheet1.xml') ? { ...part, claimedSize: 100 } : part,
				),
			),
		says: NO_EXCEL,
	},
	{
		name: 'a sheet that claims 4 GB',
		file: () => zip(workbookParts(ROW).map((part) => ({ ...part, claimedSize: 0xff_ff_ff_fe }))),
		says: NO_EXCEL,
	},
	{
		name: '100 pictures of 4 MB that are packed to nothing',
		file: () => zip([...workbookParts(ROW), ...PICTURES.map((name) => ({ name, content: PICTURE }))]),
		says: null,
	},
	{
		name: 'parts that overlap',
		file: () =>
			zip([
				...workbookParts(ROW),
				bombOf('a', 50),
				...Array.from({ length: 50 }, (_, at) => ({ ...bombOf(`b${at}`, 1), isOverlapping: true })),
			]),
		says: null,
	},
	{
		name: '10,001 parts',
		file: () =>
			zip([...workbookParts(ROW), ...Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, content: '' }))]),
		says: TOO_LARGE,
	},
	{
		name: 'two sheets of the same name',
		file: () => zip([...workbookParts(ROW), ...workbookParts(ROW)]),
		says: NO_EXCEL,
	},
	{
		name: 'names that lead out of the folder',
		file: () => zip([...workbookParts(ROW), { name: '../../../../tmp/evil', content: 'x' }]),
		says: null,
	},
]

export const HOSTILE_WORKBOOKS: readonly HostileWorkbook[] = [...texted, ...shaped, ...linked, ...zipped]
