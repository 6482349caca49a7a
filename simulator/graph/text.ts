/** Returns the number of code points. Meta counts an emoji as one character; JavaScript counts two. */
export function countCharacters(text: string): number {
	return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

/** Matches emojis. Digits, ©, ® and ™ count as text unless a variation selector follows. */
const EMOJI = /(?![0-9#*©®™])\p{Emoji}|[\ufe0f\u20e3]|\p{Regional_Indicator}/u

/** Returns true for a text without line breaks, formatting characters and emojis. */
export function isPlainText(text: string): boolean {
	return !/[\n\r*_~`]/.test(text) && !EMOJI.test(text)
}
