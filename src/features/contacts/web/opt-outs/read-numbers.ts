const MAX_LENGTH = 40

/** What was typed or pasted as a list, each once. Longer pieces are cut: they are no numbers, and the server says so. */
export function readNumbers(text: string): string[] {
	const pieces = text.split(/[\n\r,;\t]+/).map((piece) => piece.trim().slice(0, MAX_LENGTH))
	return [...new Set(pieces)].filter(Boolean)
}
