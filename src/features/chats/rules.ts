import { DAY_MS } from '#lib/durations.ts'
export const NUMBER_REQUIRED = 'Please enter a phone number'
export const NUMBER_INVALID = 'Please valid phone number. For example: 9876543210 or 919876543210'
export const CONTACT_REQUIRED = 'Please select a contact'
export const NOTHING_TO_SEND = 'Please enter a message or select a file'
/** Maximum characters of the text above the button by which customers send their own number. */
export const MAX_ASK_LENGTH = 1024
export const ASK_TEXT = 'Please share your phone number with us, so that we can reach you.'
export const WINDOW_MS = DAY_MS

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

/** Beginnings of the request ids of messages that no person wrote; the wamid that the message answers follows. */
export const AUTOMATIC_IDS = { optOut: 'opt-out:', reply: 'auto:' } as const

/** Returns true for the request id of a message that no person wrote. Request ids of callers have no colon. */
export function isAutomaticId(requestId: string | null): boolean {
	return Object.values(AUTOMATIC_IDS).some((beginning) => requestId?.startsWith(beginning))
}

export const OPT_OUT_TEXT = 'You will receive no more offers from us. Reply START to receive them again.'
export const OPT_IN_TEXT = 'You will receive our offers again. Reply STOP at any time to end them.'

/** Maximum numbers of an account's own opt-out words and of its quick replies that opt out. */
export const MAX_OPT_OUT_WORDS = 50
export const MAX_OPT_OUT_WORD_LENGTH = 60
export const MAX_OPT_OUT_BUTTONS = 100
