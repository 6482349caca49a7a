import { relations, sheetsXml, sheetXml, textRow, textsXml, workbook, workbookParts } from './workbook.ts'
import { zip } from './zip.ts'

const ROW = '<row><c t="inlineStr"><is><t>é</t></is></c><c><v>2</v></c></row>'
const TEXTED = '<row><c t="s"><v>0</v></c><c><v>2</v></c></row>'
const TEXTS = textsXml('<si><t>é</t></si>')
/** Returns a workbook whose relation names its sheet by this target. */
const placed = (target: string, part = 'xl/worksheets/sheet1.xml') =>
	workbook('', {
		'xl/_rels/workbook.xml.rels': relations([['worksheet', target]]),
		'xl/worksheets/sheet1.xml': null,
		[part]: sheetXml(ROW),
	})
/** Returns a workbook with the row in its second sheet. The first sheet is missing if `first` is null. */
const second = (first: string | null) =>
	workbook('', {
		'xl/workbook.xml': sheetsXml('<sheet r:id="rId1"/><sheet r:id="rId2"/>'),
		'xl/_rels/workbook.xml.rels': relations([
			['worksheet', 'worksheets/sheet1.xml'],
			['worksheet', 'worksheets/sheet2.xml'],
		]),
		'xl/worksheets/sheet1.xml': first === null ? null : sheetXml(first),
		'xl/worksheets/sheet2.xml': sheetXml(ROW),
	})
const changed = (change: (xml: string) => string | Buffer) =>
	zip(workbookParts(ROW).map(({ name, content }) => ({ name, content: change(content.toString()) })))

/** Valid workbooks in forms that few programs write, each with one row: é and 2. */
export const UNUSUAL_WORKBOOKS: { name: string; file: () => Buffer }[] = [
	{ name: 'whose target is written from the root', file: () => placed('xl/worksheets/sheet1.xml') },
	{ name: 'whose target begins with a dot', file: () => placed('./worksheets/sheet1.xml') },
	{ name: 'whose target has backslashes from the root', file: () => placed('\\xl\\worksheets\\sheet1.xml') },
	{ name: 'whose target is escaped', file: () => placed('worksheets/my%20sheet.xml', 'xl/worksheets/my sheet.xml') },
	{ name: 'whose target has a fragment', file: () => placed('worksheets/sheet1.xml#a') },
	{ name: 'whose first sheet is empty', file: () => second('') },
	{ name: 'whose first sheet has only blank cells', file: () => second(textRow([' ', ''])) },
	{ name: 'whose first sheet is only formatted', file: () => second('<row r="1"><c r="A1" s="1"/></row>') },
	{ name: 'whose first sheet is not there', file: () => second(null) },
	{ name: 'whose list of sheets has no ids', file: () => workbook(ROW, { 'xl/workbook.xml': sheetsXml('<sheet/>') }) },
	{
		name: 'whose texts stand elsewhere',
		file: () =>
			workbook(TEXTED, {
				'xl/_rels/workbook.xml.rels': relations([
					['worksheet', 'worksheets/sheet1.xml'],
					['sharedStrings', '/texts/all.xml'],
				]),
				'texts/all.xml': TEXTS,
			}),
	},
	{
		name: 'whose texts no relation names',
		file: () =>
			workbook(TEXTED, {
				'xl/_rels/workbook.xml.rels': relations([['worksheet', 'worksheets/sheet1.xml']]),
				'xl/sharedStrings.xml': TEXTS,
			}),
	},
	{ name: 'whose cells name only their columns', file: () => changed((xml) => xml.replace('<c>', '<c r="B">')) },
	{ name: 'whose cells are named as in formulas', file: () => changed((xml) => xml.replace('<c>', '<c r="$B$1">')) },
	{ name: 'whose rows have an empty number', file: () => changed((xml) => xml.replace('<row>', '<row r="">')) },
	{ name: 'with a line before its XML', file: () => changed((xml) => `\n<?xml version="1.0"?>${xml}`) },
	{
		name: 'in an older encoding',
		file: () => changed((xml) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1')),
	},
	{
		name: 'in UTF-8 that is called UTF-16',
		file: () => changed((xml) => `<?xml version="1.0" encoding="utf-16"?>${xml}`),
	},
	{
		name: 'with strict namespaces in all parts',
		file: () =>
			changed((xml) =>
				xml
					.replaceAll(
						'http://schemas.openxmlformats.org/spreadsheetml/2006',
						'http://purl.oclc.org/ooxml/spreadsheetml',
					)
					.replaceAll(
						'http://schemas.openxmlformats.org/officeDocument/2006',
						'http://purl.oclc.org/ooxml/officeDocument',
					),
			),
	},
]
