import { posix } from 'node:path'
import { SaxesParser } from 'saxes'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { utf16Of } from '#lib/files/csv-text.ts'
import { problem } from '#lib/problems.ts'
import { MAX_DEPTH, MAX_ELEMENTS, MAX_PARTS } from './limits.ts'

/** An opening XML element; its name has no namespace prefix. */
export interface Element {
	name: string
	attributes: Record<string, string>
}

/** Callbacks for the elements of a part, in document order. `open` and `close` end the reading by returning true. */
export interface PartReader {
	open?(element: Element): boolean | void
	text?(text: string): void
	close?(name: string): boolean | void
}

/** The parts of a workbook's zip file. Only requested parts are unpacked, as a stream. */
export interface Parts {
	has(name: string): boolean
	/** Reads a part; false when it does not exist. */
	read(name: string, reader: PartReader): Promise<boolean>
}

export async function openParts(path: string, unpackedBytes: number): Promise<Parts> {
	const zip = await openPromise(path, { autoClose: false, decodeStrings: false })
	if (zip.entryCount > MAX_PARTS) throw problem('workbook_too_large')
	const entries = new Map<string, Entry>()
	for await (const entry of zip.eachEntry()) {
		const name = keyOf(entry.fileNameRaw.toString())
		if (entries.has(name)) throw problem('workbook_unreadable')
		entries.set(name, entry)
	}
	const budget = { bytes: unpackedBytes, elements: MAX_ELEMENTS }
	return {
		has: (name) => entries.has(keyOf(name)),
		async read(name, reader) {
			const entry = entries.get(keyOf(name))
			if (entry) await parse(await piecesOf(zip, entry, budget), reader, budget)
			return entry !== undefined
		},
	}
}

/** Normalizes a part's name: case is ignored, and some programs write backslashes or a leading slash. */
function keyOf(name: string): string {
	return posix.join('/', name.replaceAll('\\', '/')).toLowerCase()
}

/** Bytes and elements that may still be read from the file. */
interface Budget {
	bytes: number
	elements: number
}

async function piecesOf(zip: ZipFile, entry: Entry, budget: Budget): Promise<AsyncGenerator<string>> {
	if (entry.isEncrypted()) throw problem('workbook_protected')
	const stream = await zip.openReadStreamPromise(entry)
	return (async function* () {
		let decoder: TextDecoder | undefined
		for await (const bytes of stream as AsyncIterable<Buffer>) {
			budget.bytes -= bytes.length
			if (budget.bytes < 0) throw problem('workbook_too_large')
			const isFirst = decoder === undefined
			decoder ??= new TextDecoder(encodingOf(bytes))
			const text = decoder.decode(bytes, { stream: true })
			yield isFirst ? text.trimStart() : text
		}
	})()
}

/**
 * Detects UTF-16 by its bytes and older encodings by their name in the XML header. A header that names UTF-16 is
 * ignored: some UTF-8 files have one.
 */
function encodingOf(bytes: Buffer): string {
	const [, named] = /encoding=["']((?:iso-8859|windows)-\d{1,4})["']/i.exec(bytes.toString('latin1', 0, 200)) ?? []
	return utf16Of(bytes) ?? named ?? 'utf-8'
}

async function parse(pieces: AsyncIterable<string>, reader: PartReader, budget: Budget): Promise<void> {
	const parser = new SaxesParser({ position: false, xmlns: false })
	let depth = 0
	let isDone = false
	parser.on('opentag', (tag) => {
		if (++depth > MAX_DEPTH) throw problem('workbook_unreadable')
		if (--budget.elements < 0) throw problem('workbook_too_large')
		isDone ||= reader.open?.({ name: localName(tag.name), attributes: tag.attributes }) ?? false
	})
	parser.on('closetag', (tag) => {
		depth--
		isDone ||= reader.close?.(localName(tag.name)) ?? false
	})
	parser.on('text', (text) => reader.text?.(text))
	parser.on('cdata', (text) => reader.text?.(text))
	for await (const piece of pieces) {
		parser.write(piece)
		if (isDone) return
	}
	parser.close()
}

function localName(name: string): string {
	return name.slice(name.indexOf(':') + 1)
}
