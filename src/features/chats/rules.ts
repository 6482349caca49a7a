import { formatCount } from '#lib/numbers.ts'
import { countCharacters } from '#lib/text/characters.ts'

export const NUMBER_REQUIRED = 'Please enter a phone number'
export const NUMBER_INVALID = 'Please valid phone number. For example: 9876543210 or 919876543210'
export const CONTACT_REQUIRED = 'Please select a contact'
export const NOTHING_TO_SEND = 'Please enter a message or select a file'
export const TYPE_REFUSED = 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'
export const MAX_TEXT_LENGTH = 4096
const MAX_CAPTION_LENGTH = 1024
/** Maximum characters of the text above the button by which customers send their own number. */
export const MAX_ASK_LENGTH = 1024
export const ASK_TEXT = 'Please share your phone number with us, so that we can reach you.'
export const WINDOW_MS = 24 * 60 * 60 * 1000

const MEGABYTE = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * MEGABYTE
const MAX_VIDEO_BYTES = 16 * MEGABYTE
const MAX_OTHER_BYTES = 10 * MEGABYTE
/** Maximum size in bytes of an attachment of any type. */
export const MAX_ATTACHMENT_BYTES = MAX_VIDEO_BYTES

/** Returns the maximum size in bytes of an attachment of this MIME type. */
export function maxBytesOf(type: string): number {
	if (type.startsWith('image/')) return MAX_IMAGE_BYTES
	return type.startsWith('video/') ? MAX_VIDEO_BYTES : MAX_OTHER_BYTES
}

export function tooLarge(maxBytes: number): string {
	return `File size exceeds ${Math.floor(maxBytes / MEGABYTE)}MB limit`
}

/** Returns the error for a message that is too long for WhatsApp; null for a message within the limit. */
export function tooLong(text: string, hasFile: boolean): string | null {
	const max = hasFile ? MAX_CAPTION_LENGTH : MAX_TEXT_LENGTH
	const length = countCharacters(text)
	if (length <= max) return null
	return `${hasFile ? 'With a file, a message' : 'A message'} may have at most ${formatCount(max)} characters. This one has ${formatCount(length)}.`
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
	phone_only: 'Visible only in the phone app',
	unsupported: 'This kind of message cannot be shown here',
}
const MAX_LINE_LENGTH = 200

/** Returns the line of at most `MAX_LINE_LENGTH` characters that represents a message in the list of chats. */
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

/** Maximum numbers of an account's own opt-out words and of its quick replies that opt out. */
export const MAX_OPT_OUT_WORDS = 50
export const MAX_OPT_OUT_WORD_LENGTH = 60
export const MAX_OPT_OUT_BUTTONS = 100
