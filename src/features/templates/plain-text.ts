/** Emoji in any form. Digits, #, *, ©, ® and ™ count as emoji only with a variation selector. */
const EMOJI = /(?![0-9#*©®™])\p{Emoji}|[\ufe0f\u20e3]|\p{Regional_Indicator}/u
const MARKUP = /[*_~`]/

/**
 * Returns the reason why WhatsApp refuses a text in a header, footer or button, where it accepts no line breaks,
 * formatting characters or emojis; false when it accepts it. `what` begins the sentence.
 */
export function plainTextFault(what: string, text: string): string | false {
	if (/[\n\r]/.test(text)) return `${what} must be one line`
	if (MARKUP.test(text)) return `${what} must be plain text: WhatsApp refuses the formatting characters * _ ~ \` there`
	return EMOJI.test(text) && `${what} cannot hold emojis: WhatsApp refuses them there`
}
