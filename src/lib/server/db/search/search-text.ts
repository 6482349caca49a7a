import { folded } from './folded-search.ts'

/**
 * Returns the stored search text of a person: the folded name and, on a second line, the number. Letters beyond ASCII
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
