/** A GSTIN has 15 characters. The last is a check character, which reveals most typing errors. */

const SHAPE = /^\d{2}[A-Z\d]{13}$/
/** GST codes of states and union territories; `gst-states.ts` has their names. */
const STATE_CODE = /^(?:0[1-9]|1\d|2[0-4]|26|27|29|3[0-8]|97)$/
/** Characters by their value. */
const SYMBOLS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Returns the number in upper case, without spaces, dashes and the invisible characters of pasted text. */
export function plainGstin(text: string): string {
	return text.replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '').toUpperCase()
}

/** Returns true for a text with the shape and check character of a GSTIN. Does not check registration. */
export function isGstin(text: string): boolean {
	return SHAPE.test(text) && text.at(-1) === checkCharacter(text.slice(0, -1))
}

/** Returns true for the GST code of a state or union territory. */
export function isStateCode(text: string): boolean {
	return STATE_CODE.test(text)
}

/** Returns the GST code of the state that issued a GSTIN; an empty text for an empty GSTIN and for codes of no state. */
export function stateOfGstin(gstin: string): string {
	const code = gstin.slice(0, 2)
	return isStateCode(code) ? code : ''
}

/**
 * Returns the check character of the first 14 characters. Every second value counts twice; each product adds its two
 * digits in base 36.
 */
function checkCharacter(first: string): string {
	const sum = first.split('').reduce((total, symbol, index) => {
		const product = SYMBOLS.indexOf(symbol) * (index % 2 === 0 ? 1 : 2)
		return total + Math.floor(product / SYMBOLS.length) + (product % SYMBOLS.length)
	}, 0)
	return SYMBOLS.charAt((SYMBOLS.length - (sum % SYMBOLS.length)) % SYMBOLS.length)
}
