import { withAsciiDigits } from '#lib/text/native-digits.ts'

/** Longest text that is searched for numbers; the longest real one is a link with a prepared message. */
export const MAX_NUMBER_TEXT = 300

/** Lower-case words that people write before or after a number, in the languages of India. */
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

/** Marks around or between the digits of one number. Plus, letters, # and % are excluded. */
const MARKS = /[\s\p{Cf}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\u2212.,;/\\|<>*~'"`´·•∙⋅‧・…]/gu
/** Separators of two numbers in one text: `a ::: b` as Google writes it, a slash, comma, line end or word. */
const SEPARATORS = /:::|[,;|/\\\n\r\t\u2028\u2029]|\s&\s|\s(?:or|and|या|और|व|किंवा)\s/giu
/** The plus of the next number, which separates it from the one before. */
const NEXT_PLUS = /(\d)\s+\+/g
const LINK = /(?:wa\.me\/|whatsapp(?:\.com\/send\/?|:\/\/send\/?)\?(?:.{0,200}&)?phone=)(?:\+|%2b)?(\d{5,20})/i
const SCHEME = /^(?:tel|sms|callto|whatsapp):(?:\/\/)?/i
/** Two Indian mobile numbers with only marks between them. */
const TWO_INDIAN = /^(\+?(?:91|0)?[6-9]\d{9})(\+?(?:91|0)?[6-9]\d{9})$/

/** Returns the text with ASCII digits, without invisible characters and spreadsheet additions. */
export function repairNumber(cell: string): string {
	if (/^\d+$/.test(cell)) return cell
	const plain = withAsciiDigits(cell.normalize('NFKC'))
		// Line ends separate numbers, so they are kept.
		.replace(/[\p{Cf}\p{Cc}]/gu, (sign) => (/\s/.test(sign) ? sign : ''))
		.trim()
		.replace(/^="(.*)"$/, '$1')
		.replace(/^'+/, '')
		.trim()
	const exact = /^(\d+)\.0+$/.exec(plain)?.[1]
	return exact ?? withoutExponent(plain) ?? plain
}

/** Returns true when a spreadsheet has shortened the number to a power of ten, which loses its last digits. */
export function isShortened(cell: string): boolean {
	return /^\d[.,]?\d*E\+?\d{1,2}$/i.test(repairNumber(cell))
}

/** Expands 9.1987654321E+11 to 919876543210; returns null for 9.19E+11, which has lost digits. */
function withoutExponent(text: string): string | null {
	const [, whole = '', part = '', power = ''] = /^(\d)[.,]?(\d*)E\+?(\d{1,2})$/i.exec(text) ?? []
	if (!power) return null
	const exponent = Number(power)
	// Excel shows all digits except trailing zeros, so at most one missing digit is a zero.
	return part.length >= exponent - 1 && part.length <= exponent ? (whole + part).padEnd(exponent + 1, '0') : null
}

/**
 * Removes labels, spaces, dashes, brackets and other marks from the first MAX_NUMBER_TEXT characters of a typed number.
 * The result has digits, perhaps after a plus, unless the text is no number.
 */
export function bareNumber(typed: string): string {
	return withoutLabels(repairNumber(typed.slice(0, MAX_NUMBER_TEXT))).replace(MARKS, '')
}

/**
 * Returns true for a text that may contain a number. For forms without the numbering plans; the server checks the rest.
 */
export function mayBeNumber(typed: string): boolean {
	return splitNumbers(typed).some((part) => /^\+*\d{2,}$/.test(bareNumber(part)))
}

/**
 * Returns the parts of a text that may be numbers, in order. A number in groups (98,111,22,001 or 022/2654 1000) is one
 * part when each group is too short for a number; the reader joins the others.
 */
export function splitNumbers(text: string): string[] {
	const plain = repairNumber(text.slice(0, MAX_NUMBER_TEXT))
	const linked = LINK.exec(plain)?.[1]
	// A link contains the number with its country code, so 00 marks it as international.
	if (linked) return [`00${linked}`]
	const parts = plain
		.replace(SCHEME, '')
		.replace(NEXT_PLUS, '$1,+')
		.split(SEPARATORS)
		.map((part) => part.trim())
		.filter((part) => /\d/.test(part))
	if (parts.every((part) => countDigits(part) < MIN_DIGITS)) return [plain.replace(SCHEME, '')]
	return parts.flatMap((part) => TWO_INDIAN.exec(bareNumber(part))?.slice(1) ?? [part])
}

/** Returns true for an amount or a date, whose digits would form a number in some country. */
export function isAmountOrDate(text: string): boolean {
	return /^[\d,]{5,}\.\d{1,2}$/.test(text) || DATE.test(text)
}

const DATE = /^(?:[0-3]?\d[./-][01]?\d[./-](?:19|20)\d\d|(?:19|20)\d\d[./-][01]?\d[./-][0-3]?\d)(?:$|[ T,])/

/** Fewest digits of a number; fewer are a part of one. */
export const MIN_DIGITS = 7

export function countDigits(text: string): number {
	return text.replace(/\D/g, '').length
}

/**
 * Removes words in brackets. When only known words, or a short text with a colon, precede the digits and only known
 * words follow them, removes these words too.
 */
function withoutLabels(text: string): string {
	const plain = text
		.replace(SCHEME, '')
		.replace(/[([]([^()[\]]*)[)\]]/g, (whole, inner: string) => (WORDS.test(inner.trimStart()) ? ' ' : whole))
	if (!/\p{L}/u.test(plain)) return plain
	const from = plain.search(/[+\d]/)
	if (from < 0) return plain
	const to = plain.length - (plain.slice(-MAX_LABEL).split(/\d/).at(-1) ?? '').length
	const [before, after] = [plain.slice(0, from), plain.slice(to)]
	return (isLabel(before) || endsWithColon(before)) && isLabel(after) ? plain.slice(from, to) : plain
}

const MAX_LABEL = 40
const WORDS = /^\p{L}[\p{L}\p{M}. ]{0,30}$/u

/** Returns true for a short text from a letter to a colon, perhaps with a bracket behind it. */
function endsWithColon(text: string): boolean {
	const label = text.replace(/\($/, '').trimEnd()
	return /^\p{L}/u.test(label) && label.endsWith(':') && Array.from(label).length <= MAX_LABEL + 2
}

function isLabel(text: string): boolean {
	const words = text.toLowerCase().match(/[\p{L}\p{M}’]+/gu) ?? []
	return words.every((word) => LABELS.has(word)) && text.replace(/[\p{L}\p{M}’:=]/gu, '').replace(MARKS, '') === ''
}
