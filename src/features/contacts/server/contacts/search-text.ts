/**
 * Returns what a contact is found by: the whole name, folded, and the number on a line of its own. Letters beyond ASCII are
 * spelled in capitals, which no other letter is by then. The index works by three letters at a time, and takes a vowel
 * sign of an Indian script for the end of a word; spelled out, every part of every name is found by it.
 */
export function searchText(firstName: string, lastName: string | null, number: string): string {
	return `${spelled(lastName ? `${firstName} ${lastName}` : firstName)}\n${number}`
}

/** Returns a typed text in the same spelling. */
export function spelled(text: string): string {
	const plain = folded(text)
	return ASCII.test(plain) ? plain : plain.replace(BEYOND_ASCII, spell)
}

/** Letters that are no letter and accent to Unicode, and the signs that phones put for straight quotes and dashes. */
const FOLDED: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Folds what people leave out when they search: capitals, accents of Latin letters, curly quotes, long dashes. Vowel signs
 * of Indian scripts stay, as they are letters. Migration 0070 folds the texts of older contacts in the same way.
 */
function folded(text: string): string {
	// NFKC would make a space of this accent, which phones put for an apostrophe.
	const lower = text.replaceAll('\u00b4', "'").normalize('NFKC').toLowerCase()
	if (ASCII.test(lower)) return lower
	return lower
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.replace(/[ßøłđæœı]/g, (letter) => FOLDED[letter] ?? letter)
		.replace(/[\u2018\u2019\u201a\u201b\u02bc\u02b9`\u2032]/g, "'")
		.replace(/[\u201c-\u201f]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, '-')
}

// Every control character is part of ASCII too.
const ASCII = /^[\0-\x7f]*$/
const BEYOND_ASCII = /[^\0-\x7f]/gu

/** Five capitals: the first of A-M, so that no letter is found in the middle of another, the others of N-Z. */
function spell(letter: string): string {
	let left = letter.codePointAt(0) ?? 0
	let capitals = ''
	for (let place = 0; place < 5; place++) {
		capitals += String.fromCharCode((place === 0 ? 65 : 78) + (left % 13))
		left = Math.floor(left / 13)
	}
	return capitals
}
