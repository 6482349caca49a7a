const MAX_LENGTH = 40

/**
 * Splits a typed or pasted list into distinct entries. An entry over `MAX_LENGTH` characters is cut, and the server
 * rejects it.
 */
export function readNumbers(text: string): string[] {
	const pieces = text.split(/[\n\r,;\t]+/).map((piece) => piece.trim().slice(0, MAX_LENGTH))
	return [...new Set(pieces)].filter(Boolean)
}
