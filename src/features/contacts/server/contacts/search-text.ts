/**
 * What a contact is found by: the whole name in lower case, and the number on a line of its own. Letters beyond ASCII are
 * spelled in capitals, which no other letter is by then. The index works by three letters at a time, and takes a vowel
 * sign of an Indian script for the end of a word; spelled out, every part of every name is found by it.
 */
export function searchText(firstName: string, lastName: string | null, number: string): string {
	return `${spelled(lastName ? `${firstName} ${lastName}` : firstName)}\n${number}`
}

/** A typed text in the same spelling. */
export function spelled(text: string): string {
	const plain = text.normalize('NFKC').toLowerCase()
	return ASCII.test(plain) ? plain : plain.replace(BEYOND_ASCII, spell)
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
