/**
 * Returns the stored search text of a contact: the folded name and, on a second line, the number. Letters beyond ASCII
 * are spelled in capitals, which folded texts do not contain. The trigram index treats a vowel sign of an Indian script
 * as the end of a word; spelled out, every part of a name is indexed.
 */
export function searchText(firstName: string, lastName: string | null, number: string): string {
	return `${spelled(lastName ? `${firstName} ${lastName}` : firstName)}\n${number}`
}

/** Folds and spells a typed text in the same way as `searchText`. */
export function spelled(text: string): string {
	const plain = folded(text)
	return ASCII.test(plain) ? plain : plain.replace(BEYOND_ASCII, spell)
}

/** Letters that Unicode does not decompose into a base letter and an accent. */
const FOLDED: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' }

/**
 * Folds differences that people ignore when they search: capitals, Latin accents, curly quotes, long dashes. Vowel
 * signs of Indian scripts remain, because they are letters. Migration 0070 folds older contacts in the same way.
 */
function folded(text: string): string {
	// Phones type this accent as an apostrophe; NFKC would turn it into a space.
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

// The rule against control characters does not apply: ASCII includes all of them.
const ASCII = /^[\0-\x7f]*$/
const BEYOND_ASCII = /[^\0-\x7f]/gu

/**
 * Spells a letter as five capitals: the first from A-M, the others from N-Z, so that no match begins in the middle of a
 * letter.
 */
function spell(letter: string): string {
	let left = letter.codePointAt(0) ?? 0
	let capitals = ''
	for (let place = 0; place < 5; place++) {
		capitals += String.fromCharCode((place === 0 ? 65 : 78) + (left % 13))
		left = Math.floor(left / 13)
	}
	return capitals
}
