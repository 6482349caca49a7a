import { formatCount } from '#lib/numbers.ts'
import { bareNumber, canonicalNumber, isWholeNumber } from '#lib/phone.ts'

export const NUMBER_REQUIRED = 'Please enter a phone number'
export const NUMBER_INVALID = 'Please valid phone number. For example: 9876543210 or 919876543210'
export const CONTACT_REQUIRED = 'Please select a contact'
export const NOTHING_TO_SEND = 'Please enter a message or select a file'
export const TYPE_REFUSED = 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'
export const MAX_TEXT_LENGTH = 4096
const MAX_CAPTION_LENGTH = 1024
export const WINDOW_MS = 24 * 60 * 60 * 1000

const MEGABYTE = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * MEGABYTE
const MAX_VIDEO_BYTES = 16 * MEGABYTE
const MAX_OTHER_BYTES = 10 * MEGABYTE
/** The largest of these. */
export const MAX_ATTACHMENT_BYTES = MAX_VIDEO_BYTES

/** How large an attachment of this MIME type may be. */
export function maxBytesOf(type: string): number {
	if (type.startsWith('image/')) return MAX_IMAGE_BYTES
	return type.startsWith('video/') ? MAX_VIDEO_BYTES : MAX_OTHER_BYTES
}

export function tooLarge(maxBytes: number): string {
	return `File size exceeds ${Math.floor(maxBytes / MEGABYTE)}MB limit`
}

/** What to answer to a message that is too long for WhatsApp; null when it is not. */
export function tooLong(text: string, hasFile: boolean): string | null {
	const max = hasFile ? MAX_CAPTION_LENGTH : MAX_TEXT_LENGTH
	if (text.length <= max) return null
	return `${hasFile ? 'With a file, a message' : 'A message'} may have at most ${formatCount(max)} characters. This one has ${formatCount(text.length)}.`
}

/**
 * Parses the number of a new chat: its digits, or an error. Ten digits are an Indian number, unless a plus precedes a complete
 * number of another country.
 */
export function readNewNumber(typed: string): { number: string } | { error: string } {
	const bare = bareNumber(typed)
	if (bare === '') return { error: NUMBER_REQUIRED }
	if (!/^\+?(\d{1,3})?(\d{10}|\d{12})$/.test(bare)) return { error: NUMBER_INVALID }
	const digits = bare.replace(/^\+/, '')
	if (digits.length !== 10) return { number: canonicalNumber(typed) ?? digits }
	return { number: bare.startsWith('+') && isWholeNumber(digits) ? digits : `91${digits}` }
}

const LINES: Record<string, string> = {
	image: 'Photo',
	video: 'Video',
	audio: 'Audio',
	document: 'Document',
	sticker: 'Sticker',
	location: 'Location',
	contacts: 'Contact',
	order: 'Order',
	template: 'Template',
	unsupported: 'This kind of message cannot be shown here',
}
const MAX_LINE_LENGTH = 200

/** The line that represents a message in the list of chats. */
export function lineOf(message: {
	kind: string
	text: string
	mediaName?: string | null
	isRevoked?: boolean
}): string {
	if (message.isRevoked) return 'This message was deleted'
	const text = message.text || (message.kind === 'document' && message.mediaName) || LINES[message.kind] || ''
	return text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
}

export const OPT_OUT_TEXT = 'You will receive no more offers from us. Reply START to receive them again.'
export const OPT_IN_TEXT = 'You will receive our offers again. Reply STOP at any time to end them.'

/** A whole message, in lower case and without punctuation or courtesies, that asks for no more marketing, in three languages. */
const STOP_WORDS = /* @__PURE__ */ wordsOf(`
	stop, stop all, stop it, stop messages, stop messaging, stop messaging me, stop texting me,
	stop sending me messages, stop sending me this, stop sending, stop sending messages, stop promotions,
	stop promotion, stop promo, stop promos, stop offers, stop marketing, stop this, stop msg, stop sms,
	stop whatsapp, unsubscribe, unsubscribe me, unsubscribe all, unsub, unsubscribe from promos,
	unsubscribe from all, unsubscribe from promotions, unsubscribe from marketing, opt out, optout, opt me out,
	cancel, end, quit, remove me, remove my number, do not disturb, dnd, do not message, do not message me,
	dont message me, dont message, do not send messages, do not send me messages, dont send messages,
	dont send me messages, dont send me any messages, do not send me any messages, no more messages, band karo,
	bandh karo, band kar do, bandh kar do, band kardo, bandh kardo, band karen, band kijiye, band kare,
	message band karo, msg band karo, message band kar do, message mat bhejo, msg mat bhejo, mat bhejo,
	mat bheje, mat bhejiye, mat bhejna, mat karo message, message mat karo, msg mat karo, rok do,
	message nahi chahiye, msg nahi chahiye, बंद करो, बन्द करो, बंद कर दो, बन्द कर दो, बंद करें, बन्द करें,
	बंद कीजिए, बंद करे, मैसेज बंद करो, संदेश बंद करो, संदेश बंद करें, मत भेजो, मत भेजिए, मत भेजें, मैसेज मत भेजो,
	संदेश मत भेजो, मैसेज मत करो, रोको, रोक दो, स्टॉप, अनसब्सक्राइब, मैसेज नहीं चाहिए
`)

const START_WORDS = /* @__PURE__ */ wordsOf(`
	start, unstop, resume, subscribe, resubscribe, subscribe me, opt in, optin, start promotions, start messages,
	start again, continue messages, shuru karo, chalu karo, chalu kar do, shuru kar do,
	message bhejo, phir se bhejo, शुरू करो, शुरू करें, चालू करो, चालू करें, मैसेज भेजो, संदेश भेजो, स्टार्ट
`)

/**
 * What a message asks for: the whole of it must be one of the usual forms, so that "don't stop" and "where is the bus stop"
 * ask for nothing. A button asks by its text or by what it carries.
 */
export function optOutIntent(text: string, payload: string | null = null): 'stop' | 'start' | null {
	for (const said of [text, payload ?? ''].map(normalised)) {
		if (STOP_WORDS.has(said)) return 'stop'
		if (START_WORDS.has(said)) return 'start'
	}
	return null
}

/** Called as pure, so that the lists are left out of the browser's code, which does not use them. */
function wordsOf(list: string): ReadonlySet<string> {
	return new Set(list.split(',').map((words) => words.trim()))
}

function normalised(text: string): string {
	if (text.length > 100) return ''
	const words = text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/['’‘`]/g, '')
		.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
		.trim()
		.split(' ')
	const first = words.findIndex((word) => !OPENING_COURTESIES.has(word))
	const last = words.findLastIndex((word) => !CLOSING_COURTESIES.has(word))
	return words.slice(Math.max(first, 0), last + 1).join(' ')
}

const OPENING_COURTESIES = /* @__PURE__ */ new Set(['please', 'pls', 'plz', 'kindly', 'कृपया'])
const CLOSING_COURTESIES = /* @__PURE__ */ new Set([
	'please',
	'pls',
	'plz',
	'ji',
	'bhai',
	'sir',
	'madam',
	'now',
	'कृपया',
])
