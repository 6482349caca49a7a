/** Emoji in any form. Digits, ©, ® and ™ are text until a variation selector makes them pictures. */
const EMOJI = /(?![0-9#*©®™])\p{Emoji}|[\ufe0f\u20e3]|\p{Regional_Indicator}/u
const MARKUP = /[*_~`]/

/**
 * Returns why WhatsApp refuses a text in which it takes neither line breaks, nor formatting characters, nor emojis: header,
 * footer and buttons. False when it takes it. `what` begins the sentence.
 */
export function plainTextFault(what: string, text: string): string | false {
	if (/[\n\r]/.test(text)) return `${what} must be one line`
	if (MARKUP.test(text)) return `${what} must be plain text: WhatsApp refuses the formatting characters * _ ~ \` there`
	return EMOJI.test(text) && `${what} cannot hold emojis: WhatsApp refuses them there`
}
