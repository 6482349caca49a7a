/**
 * Replacements for Malayalam letters that older keyboards write as two characters, and for Arabic letters that Urdu writes
 * differently.
 */
const LETTERS: Record<string, string> = {
	ൺ: 'ണ്',
	ൻ: 'ന്',
	ർ: 'ര്',
	ൽ: 'ല്',
	ൾ: 'ള്',
	ൿ: 'ക്',
	ي: 'ی',
	ى: 'ی',
	ك: 'ک',
	ه: 'ہ',
}

/** Returns the words of a text in lower case, without punctuation and without differences between keyboards and fonts. */
export function wordsOf(text: string): string[] {
	const plain = text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/['’‘`\u200b-\u200d\u2060\ufeff]/g, '')
		.replace(/[ൺൻർൽൾൿيىكه]/g, (letter) => LETTERS[letter] ?? letter)
	return withoutRuns(plain)
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter((word) => word !== '')
}

/** Returns texts without duplicates: of texts with equal words, the first spelling at the place of the last. */
export function distinctTexts(texts: readonly string[]): string[] {
	return [...new Map(texts.toReversed().map((text) => [wordsOf(text).join(' '), text])).values()].toReversed()
}

/** Replaces three or more equal Latin letters in a row by one, as in "stoppp". */
function withoutRuns(text: string): string {
	let kept = ''
	for (let from = 0, to = 0; from < text.length; from = to) {
		const letter = text.charAt(from)
		while (text[to] === letter) to++
		kept += to - from > 2 && /[a-z]/.test(letter) ? letter : text.slice(from, to)
	}
	return kept
}
