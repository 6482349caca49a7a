import { problem } from '#lib/problems.ts'

/** Streams a file's bytes; each call starts again at the beginning. */
export type FileBytes = () => AsyncIterable<Uint8Array>

/** Encoding of CSV files from older versions of Excel in India. */
const OLD_EXCEL = 'windows-1252'

/**
 * Reads a whole file to detect its encoding: UTF-16, UTF-8, or else windows-1252. Throws for a file that cannot be CSV.
 */
export async function encodingOf(bytes: FileBytes): Promise<string> {
	const utf8 = new TextDecoder('utf-8', { fatal: true })
	let isFirst = true
	let isUtf8 = true
	for await (const piece of bytes()) {
		if (isFirst) {
			refuseOtherFiles(piece)
			const utf16 = utf16Of(piece)
			if (utf16) return utf16
		}
		isFirst = false
		isUtf8 = accepts(utf8, piece)
		if (!isUtf8) break
	}
	if (isFirst) throw problem('file_empty')
	return isUtf8 && accepts(utf8) ? 'utf-8' : OLD_EXCEL
}

/** Returns true when the decoder accepts the next piece of a text. Without a piece, checks that the text may end here. */
function accepts(decoder: TextDecoder, piece?: Uint8Array): boolean {
	try {
		decoder.decode(piece, { stream: piece !== undefined })
		return true
	} catch {
		return false
	}
}

function refuseOtherFiles(bytes: Uint8Array): void {
	const start = String.fromCharCode(...bytes.subarray(0, 5))
	if (start.startsWith('PK')) throw problem('csv_is_zip')
	if (start.startsWith('\xd0\xcf\x11\xe0')) throw problem('csv_is_old_excel')
	if (start === '%PDF-' || start.startsWith('\x89PNG') || start.startsWith('\xff\xd8\xff'))
		throw problem('csv_is_other_file')
}

/** Returns the UTF-16 variant of a file by its first bytes; null for another encoding. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
	const [first, second] = bytes
	if (first === 0xff && second === 0xfe) return 'utf-16le'
	if (first === 0xfe && second === 0xff) return 'utf-16be'
	return utf16WithoutMark(bytes)
}

/**
 * Detects UTF-16 without a byte order mark, in which every second byte of plain letters is zero; null for another
 * encoding.
 */
function utf16WithoutMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
	const start = bytes.subarray(0, 1000)
	const zeros = [0, 0]
	for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
	const [even = 0, odd = 0] = zeros
	const many = start.length / 4
	if (odd > many && even === 0) return 'utf-16le'
	return even > many && odd === 0 ? 'utf-16be' : null
}

/**
 * Yields a file's text without byte order mark and with LF line ends, so that mixed line ends separate rows correctly.
 */
export async function* textOf(bytes: FileBytes, encoding: string): AsyncGenerator<string> {
	// Removes the byte order mark at the start of the file only.
	const decoder = new TextDecoder(encoding)
	let carried = ''
	for await (const piece of bytes()) {
		const text = carried + decoder.decode(piece, { stream: true })
		// A chunk may end between CR and LF.
		carried = text.endsWith('\r') ? '\r' : ''
		yield withPlainLines(text.slice(0, text.length - carried.length))
	}
	yield withPlainLines(carried + decoder.decode())
}

function withPlainLines(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
