/** Returns the number of code points, by which Meta counts: an emoji is one, not two. */
export function countCharacters(text: string): number {
	return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0)
}

/** Digits, ©, ® and ™ are text until a variation selector makes them pictures. */
const EMOJI = /(?![0-9#*©®™])\p{Emoji}|[\ufe0f\u20e3]|\p{Regional_Indicator}/u

/** Tells whether a text has neither line breaks, nor formatting characters, nor emojis. */
export function isPlainText(text: string): boolean {
	return !/[\n\r*_~`]/.test(text) && !EMOJI.test(text)
}
