/** Why a file cannot be read, in words for the user. */
export class FileError extends Error {
	override readonly name = 'FileError'
}

/** A file from its start, some bytes at a time; each call reads it anew. */
export type FileBytes = () => AsyncIterable<Uint8Array>

/** Older versions of Excel save "CSV" in the code page of the system: this one in India. */
const OLD_EXCEL = 'windows-1252'

/** Reads a file through for what its text is in: UTF-16, UTF-8, or else windows-1252. One that cannot be CSV is refused. */
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
	if (isFirst) throw new FileError('This file is empty')
	return isUtf8 && accepts(utf8) ? 'utf-8' : OLD_EXCEL
}

/** Without a piece: whether the text may end here. */
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
	if (start.startsWith('PK'))
		throw new FileError('This is an Excel or zip file. Rename it to end in .xlsx and choose it again')
	if (start.startsWith('\xd0\xcf\x11\xe0')) throw new FileError('This is an old Excel file. Save it as .xlsx or .csv')
	if (start === '%PDF-' || start.startsWith('\x89PNG') || start.startsWith('\xff\xd8\xff'))
		throw new FileError('This is not a CSV file')
}

/** Which UTF-16 a file is in by its first bytes, or null when it is in another encoding. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
	const [first, second] = bytes
	if (first === 0xff && second === 0xfe) return 'utf-16le'
	if (first === 0xfe && second === 0xff) return 'utf-16be'
	return utf16WithoutMark(bytes)
}

/** In UTF-16 every other byte of plain letters is zero. */
function utf16WithoutMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
	const start = bytes.subarray(0, 1000)
	const zeros = [0, 0]
	for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
	const [even = 0, odd = 0] = zeros
	const many = start.length / 4
	if (odd > many && even === 0) return 'utf-16le'
	return even > many && odd === 0 ? 'utf-16be' : null
}

/** The file's text without byte order mark, and with LF line ends alone, so that a file that mixes them keeps its rows apart. */
export async function* textOf(bytes: FileBytes, encoding: string): AsyncGenerator<string> {
	// Leaves out the mark at the beginning of the file, and no other.
	const decoder = new TextDecoder(encoding)
	let carried = ''
	for await (const piece of bytes()) {
		const text = carried + decoder.decode(piece, { stream: true })
		// A CR LF may be cut in the middle.
		carried = text.endsWith('\r') ? '\r' : ''
		yield withPlainLines(text.slice(0, text.length - carried.length))
	}
	yield withPlainLines(carried + decoder.decode())
}

function withPlainLines(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}
