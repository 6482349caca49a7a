import { formatCount } from '#lib/numbers.ts'
import { countCharacters, cutTo } from '#lib/text/characters.ts'

export const TYPE_REFUSED = 'Invalid file type. Allowed: JPEG, PNG, MP4, 3GP, PDF'
export const MAX_TEXT_LENGTH = 4096
const MAX_CAPTION_LENGTH = 1024

/** MIME types of the files that WhatsApp takes and this product sends. */
export const ATTACHMENT_TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'video/3gpp', 'application/pdf'] as const

const MEGABYTE = 1024 * 1024
const MAX_IMAGE_BYTES = 5 * MEGABYTE
const MAX_VIDEO_BYTES = 16 * MEGABYTE
const MAX_OTHER_BYTES = 10 * MEGABYTE
/** Maximum size in bytes of an attachment of any type. */
const MAX_ATTACHMENT_BYTES = MAX_VIDEO_BYTES

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

/** Rule of a form's file that becomes an attachment. The content decides about the type. */
export const ATTACHMENT_RULE = {
	maxBytes: MAX_ATTACHMENT_BYTES,
	maxBytesOf: (type: string) =>
		(ATTACHMENT_TYPES as readonly string[]).includes(type) ? maxBytesOf(type) : MAX_ATTACHMENT_BYTES,
}

/** Maximum number of saved replies of an account. */
export const MAX_SAVED_REPLIES = 100
export const MAX_SHORTCUT_LENGTH = 30
/** Maximum characters of a value that replaces a variable. */
export const MAX_VALUE_LENGTH = 200

/** Variables of a saved reply by the name between their braces, each with its label. */
export const REPLY_VARIABLES = {
	customerName: 'Customer’s name',
	myName: 'Your name',
	orderNumber: 'Order number',
} as const
export type ReplyVariable = keyof typeof REPLY_VARIABLES

const VARIABLE = /\{\{([^{}]*)\}\}/g

/** Returns the variables of a text without repetitions, in the order of the text. */
export function variablesOf(text: string): ReplyVariable[] {
	const names = Array.from(text.matchAll(VARIABLE), ([, name = '']) => name)
	return [...new Set(names.filter(isVariable))]
}

/** Returns the error for a variable that does not exist; null when all exist. */
export function variableProblem(text: string): string | null {
	const stranger = Array.from(text.matchAll(VARIABLE), ([found]) => found).find(
		(found) => !isVariable(found.slice(2, -2)),
	)
	if (stranger === undefined) return null
	const known = Object.keys(REPLY_VARIABLES).map((name) => `{{${name}}}`)
	return `There is no variable ${cutTo(stranger, MAX_QUOTED)}. Use ${known.join(', ')}.`
}

/** Returns the text with its variables replaced. A variable without a value remains. */
export function fillVariables(text: string, values: Partial<Record<ReplyVariable, string>>): string {
	return text.replace(VARIABLE, (found, name: string) => (isVariable(name) ? values[name] || found : found))
}

function isVariable(name: string): name is ReplyVariable {
	return Object.hasOwn(REPLY_VARIABLES, name)
}

/** Returns the saved replies whose name or text contains all words of a search; those whose name begins with it come first. */
export function findReplies<T extends { shortcut: string; text: string }>(replies: readonly T[], search: string): T[] {
	const wanted = plain(search)
	const words = wanted.split(/\s+/)
	const found = replies.filter(({ shortcut, text }) => {
		const searched = plain(`${shortcut} ${text}`)
		return words.every((word) => searched.includes(word))
	})
	const rank = ({ shortcut }: T) => (plain(shortcut).startsWith(wanted) ? 0 : 1)
	return found.toSorted((a, b) => rank(a) - rank(b))
}

const plain = (text: string) => text.normalize('NFC').toLowerCase()

/** Characters of an unknown variable that its error quotes. */
const MAX_QUOTED = 40

/** Maximum number of automatic replies of an account. */
export const MAX_AUTOMATIC_REPLIES = 30
/** Maximum number of words or phrases of a keyword reply, and of characters of each. */
export const MAX_PHRASES = 20
export const MAX_PHRASE_LENGTH = 60
/** Highest monthly limit of an automatic reply, in messages. */
export const MAX_MONTHLY_LIMIT = 100_000
export const MAX_CLOSED_DAYS = 60
export const CHOOSE_DAY = 'Choose a day'
