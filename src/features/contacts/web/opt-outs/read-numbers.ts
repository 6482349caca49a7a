const MAX_LENGTH = 40

/** Splits a typed or pasted list into distinct entries. Longer entries are cut, and the server rejects them. */
export function readNumbers(text: string): string[] {
	const pieces = text.split(/[\n\r,;\t]+/).map((piece) => piece.trim().slice(0, MAX_LENGTH))
	return [...new Set(pieces)].filter(Boolean)
}
