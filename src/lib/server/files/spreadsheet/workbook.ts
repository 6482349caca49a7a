import { posix } from 'node:path'
import { unescape } from 'node:querystring'
import { problem } from '#lib/problems.ts'
import { numberFormatOf, unescaped, type NumberFormat } from './cell-text.ts'
import { cellTooLong, MAX_PARTS, MAX_ROW_CHARACTERS, type SpreadsheetLimits } from './limits.ts'
import type { Parts, PartReader } from './parts.ts'

/** The data of a workbook that its sheets need. */
export interface Workbook {
	/** Parts to search for rows, in this order. */
	sheets: ReadonlySet<string>
	/** True when the workbook has hidden sheets. */
	hasHidden: boolean
	is1904: boolean
	/** Shared texts, which cells refer to by index. */
	texts: string[]
	/** Number formats by index. */
	formats: NumberFormat[]
}

interface Relation {
	type: string
	part: string
}

/** Reads what all sheets share. The sheet named `firstSheet` comes first, if the workbook has it. */
export async function readWorkbook(parts: Parts, limits: SpreadsheetLimits, firstSheet?: string): Promise<Workbook> {
	const main = [...(await readRelations(parts, '/')).values()].find(({ type }) => type === 'officeDocument')
	const path = main?.part ?? '/xl/workbook.xml'
	const relations = await readRelations(parts, path)
	const { visible, hidden, is1904 } = await readSheets(parts, path, firstSheet)
	// Other sheets contain charts or macros. Hidden sheets are read when none is visible, and any part when no id of the
	// list matches.
	const any = visible.length + hidden.length > 0 ? [...relations.keys()] : []
	const sheets = [visible, hidden, any]
		.map((ids) => ids.flatMap((id) => relations.get(id) ?? []).filter(({ type }) => type === 'worksheet'))
		.find((found) => found.length > 0)
	if (sheets === undefined) throw problem('workbook_unreadable')
	const partOf = (wanted: string) =>
		[...relations.values()].find(({ type }) => type === wanted)?.part ?? `${posix.dirname(path)}/${wanted}.xml`
	return {
		sheets: new Set(sheets.map(({ part }) => part)),
		hasHidden: hidden.length > 0 && visible.length > 0,
		is1904,
		texts: await readTexts(parts, partOf('sharedStrings'), limits),
		formats: await readFormats(parts, partOf('styles')),
	}
}

/**
 * Reads a part's relations, by id; none when the part has no file of relations. Throws a 400 for more than MAX_PARTS.
 */
async function readRelations(parts: Parts, path: string): Promise<Map<string, Relation>> {
	const relations = new Map<string, Relation>()
	const { dir, base } = posix.parse(path)
	await parts.read(`${dir}/_rels/${base}.rels`, {
		open({ name, attributes: { Id, Type, Target, TargetMode } }) {
			if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return
			if (relations.size > MAX_PARTS) throw problem('workbook_too_large')
			relations.set(Id, { type: posix.basename(Type), part: placeOf(parts, dir, Target) })
		},
	})
	return relations
}

/**
 * Resolves a relation's target: relative to its folder, or as some programs write it, from the root or with escaped
 * characters.
 */
function placeOf(parts: Parts, dir: string, target: string): string {
	const name = target.replaceAll('\\', '/').replace(/#.*/, '')
	const places = [name, unescape(name)].flatMap((given) => [posix.resolve(dir, given), posix.resolve('/', given)])
	return places.find((place) => parts.has(place)) ?? posix.resolve(dir, name)
}

/**
 * Reads the relation ids of visible and hidden sheets, in order, and the date system. Throws a 400 when the part does
 * not exist.
 */
async function readSheets(
	parts: Parts,
	path: string,
	firstSheet: string | undefined,
): Promise<{ visible: string[]; hidden: string[]; is1904: boolean }> {
	const visible: string[] = []
	const hidden: string[] = []
	let is1904 = false
	const isFound = await parts.read(path, {
		open({ name, attributes }) {
			if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
			if (name !== 'sheet') return
			const list = /^(hidden|veryHidden)$/.test(attributes['state'] ?? '') ? hidden : visible
			// Usually r:id, but the file chooses the prefix.
			const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
			if (firstSheet !== undefined && attributes['name'] === firstSheet) list.unshift(id)
			else list.push(id)
		},
		close: (name) => name === 'sheets',
	})
	if (!isFound) throw problem('workbook_unreadable')
	return { visible, hidden, is1904 }
}

/**
 * Returns callbacks that join the text of a string's elements, without the phonetic readings of East Asian texts. They
 * throw a 400 for more than MAX_ROW_CHARACTERS; `take` returns the text and clears it.
 */
export function textCollector(): Required<PartReader> & { take(): string } {
	let text = ''
	let isText = false
	let isReading = false
	return {
		open({ name }) {
			if (name === 'rPh') isReading = true
			isText = name === 't' && !isReading
		},
		text(piece) {
			if (!isText) return
			text += piece
			// An escape such as _x000D_ takes seven characters here for one character of the cell.
			if (text.length > MAX_ROW_CHARACTERS) throw cellTooLong()
		},
		close(name) {
			if (name === 'rPh') isReading = false
			isText = false
		},
		take() {
			const whole = unescaped(text)
			text = ''
			return whole
		},
	}
}

async function readTexts(
	parts: Parts,
	path: string,
	{ characters, unpackedBytes }: SpreadsheetLimits,
): Promise<string[]> {
	const texts: string[] = []
	const collector = textCollector()
	let left = Math.min(characters, unpackedBytes)
	await parts.read(path, {
		open: collector.open,
		text: collector.text,
		close(name) {
			collector.close(name)
			if (name !== 'si') return
			const text = collector.take()
			left -= text.length + 1
			if (left < 0) throw problem('workbook_too_large')
			texts.push(flat(text))
		},
	})
	return texts
}

const MIN_SLICE_LENGTH = 13

/** Copies a text: V8 keeps the whole original in memory for a slice of it. */
function flat(text: string): string {
	return text.length < MIN_SLICE_LENGTH ? text : Buffer.from(text).toString()
}

async function readFormats(parts: Parts, path: string): Promise<NumberFormat[]> {
	const codes = new Map<number, string>()
	const ids: number[] = []
	let isCells = false
	await parts.read(path, {
		open({ name, attributes: { numFmtId, formatCode = '' } }) {
			if (name === 'cellXfs') isCells = true
			if (name === 'numFmt') codes.set(Number(numFmtId), formatCode)
			if (name === 'xf' && isCells) ids.push(Number(numFmtId ?? 0))
		},
		close: (name) => name === 'cellXfs',
	})
	const known = new Map<number, NumberFormat>()
	return ids.map((id) => {
		const format = known.get(id) ?? numberFormatOf(id, codes)
		known.set(id, format)
		return format
	})
}
