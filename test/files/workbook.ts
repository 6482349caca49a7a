import { zip, type Part } from './zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Returns the XML of a relations part. Each relation is a type and a target, and gets the id rId1, rId2 and so on. */
export function relations(list: readonly (readonly [type: string, target: string])[]): string {
	const items = list.map(
		([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
	)
	return `<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`
}

export const sheetXml = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`

export const sheetsXml = (sheets: string, properties = '') =>
	`<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${sheets}</sheets></workbook>`

export const textsXml = (texts: string) => `<sst xmlns="${MAIN}">${texts}</sst>`

/** Returns the styles of number formats given by their codes; style n of a cell is the n-th format. */
export function stylesXml(codes: readonly string[]): string {
	const formats = codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')
	const cells = codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')
	return `<styleSheet xmlns="${MAIN}"><numFmts>${formats}</numFmts><cellXfs>${cells}</cellXfs></styleSheet>`
}

const TYPES = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`

/**
 * Returns the parts of a workbook with one sheet, whose rows are given as XML. An entry of `change` replaces or adds the part
 * of that name; null removes it.
 */
export function workbookParts(rows: string | Buffer, change: Record<string, string | Buffer | null> = {}): Part[] {
	const parts: Record<string, string | Buffer | null> = {
		'[Content_Types].xml': TYPES,
		'_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
		'xl/workbook.xml': sheetsXml('<sheet name="A" sheetId="1" r:id="rId1"/>'),
		'xl/_rels/workbook.xml.rels': relations([
			['worksheet', 'worksheets/sheet1.xml'],
			['sharedStrings', 'sharedStrings.xml'],
			['styles', 'styles.xml'],
		]),
		'xl/worksheets/sheet1.xml': Buffer.isBuffer(rows) ? rows : sheetXml(rows),
		...change,
	}
	return Object.entries(parts).flatMap(([name, content]) => (content === null ? [] : { name, content }))
}

/** Returns the file of a workbook with the parts of `workbookParts`, for XML that no spreadsheet program writes. */
export function workbook(...given: Parameters<typeof workbookParts>): Buffer {
	return zip(workbookParts(...given))
}

/** Returns a row of cells with inline texts, without row number and cell names. */
export const textRow = (texts: readonly string[]) =>
	`<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`

function cellXml(value: string | number | null): string {
	if (value === null) return '<c/>'
	return typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`
}

/** Returns a workbook of texts and numbers. */
export function tableWorkbook(rows: readonly (readonly (string | number | null)[])[]): Buffer {
	return workbook(rows.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join(''))
}
