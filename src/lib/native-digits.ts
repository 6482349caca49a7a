/** Code point of zero in each script with decimal digits of its own: Arabic, Persian, and the scripts of India. */
const ZEROS = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0x0a_66, 0x0a_e6, 0x0b_66, 0x0b_e6, 0x0c_66, 0x0c_e6, 0x0d_66]

/** Returns the text with the digits of other scripts as 0 to 9: १२५० becomes 1250. */
export function withAsciiDigits(text: string): string {
	return text.replace(/\p{Nd}/gu, asciiDigit)
}

function asciiDigit(digit: string): string {
	const point = digit.codePointAt(0) ?? 0
	const zero = ZEROS.find((first) => point >= first && point <= first + 9)
	return zero === undefined ? digit : String(point - zero)
}
