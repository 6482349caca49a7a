/** Decodes a file as UTF-16, UTF-8 or else windows-1252, with LF line ends and no byte order mark. */
export function readText(bytes: Uint8Array): string {
	const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : OLD_EXCEL)
	return withPlainLines(new TextDecoder(encoding).decode(bytes))
}

/** With LF line ends alone, so that a file that mixes them keeps its rows apart, and without a byte order mark. */
export function withPlainLines(text: string): string {
	return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** Older versions of Excel save "CSV" in the code page of the system: this one in India. */
export const OLD_EXCEL = 'windows-1252'

/** Which UTF-16 a file is in by its first bytes, or null when it is in another encoding. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
	const [first, second] = bytes
	if (first === 0xff && second === 0xfe) return 'utf-16le'
	if (first === 0xfe && second === 0xff) return 'utf-16be'
	return utf16WithoutMark(bytes)
}

/** Splits off Excel's `sep=;` line, which names the delimiter. Without one `delimiter` is empty, to be guessed from the rows. */
export function separatorOf(text: string): { body: string; delimiter: string } {
	const named = /^sep=(.)\n/.exec(text)
	if (named) return { body: text.slice(named[0].length), delimiter: named[1] ?? ',' }
	return { body: text, delimiter: '' }
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

function isUtf8(bytes: Uint8Array): boolean {
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes)
		return true
	} catch {
		return false
	}
}

/** Why a file that begins with these bytes cannot be CSV, as text for the user; null if it may be. */
export function fileErrorOf(bytes: Uint8Array): string | null {
	const start = String.fromCharCode(...bytes.subarray(0, 5))
	if (bytes.length === 0) return 'This file is empty'
	if (start.startsWith('PK')) return 'This is an Excel or zip file. Rename it to end in .xlsx and choose it again'
	if (start.startsWith('\xd0\xcf\x11\xe0')) return 'This is an old Excel file. Save it as .xlsx or .csv'
	return start === '%PDF-' || start.startsWith('\x89PNG') || start.startsWith('\xff\xd8\xff')
		? 'This is not a CSV file'
		: null
}

/**
 * With these options papaparse guesses what separates the columns of a text with LF line ends. Empty lines count as one cell,
 * and would hide that all others have two.
 */
export const GUESSING = { newline: '\n', preview: 20, skipEmptyLines: 'greedy' } as const
