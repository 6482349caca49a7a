import { withAsciiDigits } from './native-digits.ts'

/** The longest text in which numbers are looked for: a link with a prepared message is the longest real one. */
export const MAX_NUMBER_TEXT = 300

/** Words that people write before or after a number, in the languages of India. Compared in lower case. */
const LABELS: ReadonlySet<string> = new Set(
	(
		'm mo mob mobile cell cellphone ph phone tel telephone telefone telefono celular fax contact call no num number ' +
		'whatsapp whats app wa w home work office off res resi residence personal primary main other o r h ' +
		'मो मोब मोबाइल मोबाईल फोन फ़ोन दूरभाष संपर्क नं नंबर नम्बर क्र क्रमांक भ्रमणध्वनी व्हाट्सएप व्हाट्सअप व्हॉट्सअॅप ' +
		'মোবাইল ফোন নম্বর মোবাইল ম’বাইল নং મો મોબાઇલ મોબાઈલ ફોન નંબર નં વોટ્સએપ ਮੋਬਾਈਲ ਫੋਨ ਫ਼ੋਨ ਨੰਬਰ ' +
		'கைபேசி மொபைல் அலைபேசி தொலைபேசி எண் வாட்ஸ்அப் మొబైల్ ఫోన్ నంబర్ నెంబర్ సెల్ వాట్సాప్ ' +
		'ಮೊಬೈಲ್ ಫೋನ್ ದೂರವಾಣಿ ಸಂಖ್ಯೆ ವಾಟ್ಸಾಪ್ മൊബൈൽ ഫോൺ നമ്പർ വാട്സാപ്പ് ମୋବାଇଲ ଫୋନ ନମ୍ବର موبائل فون نمبر'
	)
		.normalize('NFKC')
		.split(' '),
)

/** Marks that stand around or between the digits of one number. A plus, letters, # and % are none of them. */
const MARKS = /[\s\p{Cf}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\u2212.,;/\\|<>*~'"`´·•∙⋅‧・…]/gu
/** What parts two numbers in one text: `a ::: b` as Google writes it, a slash, a comma, a line, a word, the next plus. */
const SEPARATORS = /:::|[,;|/\\\n\r\t\u2028\u2029]|\s&\s|\s(?:or|and|या|और|व|किंवा)\s|(?<=\d)\s+(?=\+)/giu
const LINK = /(?:wa\.me\/|whatsapp(?:\.com\/send\/?|:\/\/send\/?)\?(?:.{0,200}&)?phone=)(?:\+|%2b)?(\d{5,20})/i
const SCHEME = /^(?:tel|sms|callto|whatsapp):(?:\/\/)?/i
/** Two Indian mobile numbers with nothing but marks between them. */
const TWO_INDIAN = /^(\+?(?:91|0)?[6-9]\d{9})(\+?(?:91|0)?[6-9]\d{9})$/

/** The text with ASCII digits for those of other scripts, without invisible signs and what spreadsheets add to a number. */
export function repairNumber(cell: string): string {
	if (/^\d+$/.test(cell)) return cell
	const plain = withAsciiDigits(cell.normalize('NFKC'))
		// Line ends part two numbers.
		.replace(/[\p{Cf}\p{Cc}]/gu, (sign) => (/\s/.test(sign) ? sign : ''))
		.trim()
		.replace(/^="(.*)"$/, '$1')
		.replace(/^'+/, '')
		.trim()
	const exact = /^(\d+)\.0+$/.exec(plain)?.[1]
	return exact ?? withoutExponent(plain) ?? plain
}

/** Whether a spreadsheet has shortened the number to a power of ten, and its last digits are lost. */
export function isShortened(cell: string): boolean {
	return /^\d[.,]?\d*E\+?\d{1,2}$/i.test(repairNumber(cell))
}

/** 9.1987654321E+11 is 919876543210; 9.19E+11 has lost digits. */
function withoutExponent(text: string): string | null {
	const [, whole = '', part = '', power = ''] = /^(\d)[.,]?(\d*)E\+?(\d{1,2})$/i.exec(text) ?? []
	if (!power) return null
	const exponent = Number(power)
	// Excel shows at most the digits it has: where fewer than a number needs are missing, they are zeros at its end.
	return part.length >= exponent - 1 && part.length <= exponent ? (whole + part).padEnd(exponent + 1, '0') : null
}

/** A typed number without labels, spaces, dashes, brackets and other marks: digits, perhaps after a plus, or what is none. */
export function bareNumber(typed: string): string {
	return withoutLabels(repairNumber(typed.slice(0, MAX_NUMBER_TEXT))).replace(MARKS, '')
}

/** Whether a text may hold a number, before the numbering plans are at hand: a form asks the server about the rest. */
export function mayBeNumber(typed: string): boolean {
	return splitNumbers(typed).some((part) => /^\+*\d{2,}$/.test(bareNumber(part)))
}

/**
 * Returns the parts of a text that may be numbers, in their order. One number in groups (98,111,22,001 or 022/2654 1000) is
 * one part where each group is too short for a number; the reader joins the others.
 */
export function splitNumbers(text: string): string[] {
	const plain = repairNumber(text.slice(0, MAX_NUMBER_TEXT))
	const linked = LINK.exec(plain)?.[1]
	// A link has the number with its country code; some are typed without it.
	if (linked) return [`00${linked}`]
	const parts = plain
		.replace(SCHEME, '')
		.split(SEPARATORS)
		.map((part) => part.trim())
		.filter((part) => /\d/.test(part))
	if (parts.every((part) => countDigits(part) < MIN_DIGITS)) return [plain.replace(SCHEME, '')]
	return parts.flatMap((part) => TWO_INDIAN.exec(bareNumber(part))?.slice(1) ?? [part])
}

/** Returns whether a text is an amount or a date: its digits together would be a number somewhere. */
export function isAmountOrDate(text: string): boolean {
	return /^[\d,]{5,}\.\d{1,2}$/.test(text) || DATE.test(text)
}

const DATE = /^(?:[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d|(?:19|20)\d\d[./-][01]?\d[./-][0-3]?\d)(?:$|[ T,])/

/** Fewer digits are a part of a number. */
export const MIN_DIGITS = 7

export function countDigits(text: string): number {
	return text.replace(/\D/g, '').length
}

/** Takes away known words around the digits, whatever stands before a colon, and words in brackets. */
function withoutLabels(text: string): string {
	const plain = text.replace(SCHEME, '').replace(/[([]\s*\p{L}[\p{L}\p{M}. ]{0,30}[)\]]/gu, ' ')
	if (!/\p{L}/u.test(plain)) return plain
	const from = plain.search(/[+\d]/)
	if (from < 0) return plain
	const to = plain.length - (/\D*$/.exec(plain.slice(-MAX_LABEL))?.[0].length ?? 0)
	const [before, after] = [plain.slice(0, from), plain.slice(to)]
	return (isLabel(before) || /^\p{L}[^\d]{0,40}:\s*\(?$/u.test(before)) && isLabel(after)
		? plain.slice(from, to)
		: plain
}

const MAX_LABEL = 40

function isLabel(text: string): boolean {
	const words = text.toLowerCase().match(/[\p{L}\p{M}’]+/gu) ?? []
	return words.every((word) => LABELS.has(word)) && text.replace(/[\p{L}\p{M}’:=]/gu, '').replace(MARKS, '') === ''
}
