/** Replaces the decimal digits of all scripts by 0 to 9: १२५० becomes 1250. */
export function withAsciiDigits(text: string): string {
	return text.replace(/(?![0-9])\p{Nd}/gu, asciiDigit)
}

/**
 * Returns the ASCII digit for a digit of any script. Unicode places the ten digits of a script in a row, zero first.
 */
function asciiDigit(digit: string): string {
	let point = digit.codePointAt(0) ?? 0
	let value = 0
	while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(--point))) value++
	return String(value)
}
