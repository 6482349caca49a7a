/** A GSTIN is 15 characters; the last one follows from the others, so that most typing errors show. */

const SHAPE = /^\d{2}[A-Z\d]{13}$/
/** The value of a character is its index. */
const SYMBOLS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** In capitals, without spaces, dashes and the invisible characters that pasted text brings along. */
export function plainGstin(text: string): string {
	return text.replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '').toUpperCase()
}

/** Whether the text has the shape and the check character of a GSTIN. Not whether it is registered. */
export function isGstin(text: string): boolean {
	return SHAPE.test(text) && text.at(-1) === checkCharacter(text.slice(0, -1))
}

/** Every second value counts twice; each product adds its two digits in base 36. */
function checkCharacter(first: string): string {
	const sum = first.split('').reduce((total, symbol, index) => {
		const product = SYMBOLS.indexOf(symbol) * (index % 2 === 0 ? 1 : 2)
		return total + Math.floor(product / SYMBOLS.length) + (product % SYMBOLS.length)
	}, 0)
	return SYMBOLS.charAt((SYMBOLS.length - (sum % SYMBOLS.length)) % SYMBOLS.length)
}
