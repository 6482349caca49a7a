import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { readNumber } from '#lib/phone/phone-reader.ts'
import { dialledForm, isUserId } from '#lib/phone/phone.ts'
import { cleanTexts } from '#lib/text/clean-texts.ts'
import { idText, readContent, type Content } from './content-reader.ts'

/** A customer's message, ready to be stored. */
export interface InboundMessage extends Content {
	chat: string
	wamid: string
	at: Date
	/** The wamid of the quoted message; null without one. */
	replyWamid: string | null
}

/** A reaction to a message, or an edit or revocation of it. The message may arrive later than the mark. */
export interface InboundMark {
	chat: string
	targetWamid: string
	kind: 'reaction' | 'edit' | 'revoke'
	value: string
	at: Date
	wamid: string
}

/** The sender of an inbound message, with the profile name and the time of the message. */
interface Writer {
	chat: string
	/** WhatsApp user id besides the number; null when the message names only the key of the chat. */
	userId: string | null
	profileName: string | null
	wamid: string
	at: Date
}

/** A customer's new number or WhatsApp user id. */
export interface PersonChange {
	wamid: string
	at: Date
	/** The former number and user id, as far as the message names them. */
	from: string[]
	/** The present number, or the present user id when the number is not shown. */
	into: string
	/** The present user id; null when the message does not name it. */
	userId: string | null
}

/** A customer's own number, which they sent when they were asked for it. */
export interface SharedNumber {
	wamid: string
	at: Date
	/** Key of the chat, a user id, or the number itself. */
	from: string
	number: string
	/** Profile name, else the name on the card; null without either. */
	name: string | null
}

export interface Inbound {
	messages: InboundMessage[]
	marks: InboundMark[]
	writers: Writer[]
	changes: PersonChange[]
	shared: SharedNumber[]
}

const MAX_WAMID_LENGTH = 255
const MAX_NAME_LENGTH = 200
const MAX_EMOJI_LENGTH = 40

/** Reads the values of the webhook field "messages". Skips entries without a message id or a sender. */
export function readInbound(values: readonly unknown[], now: Date): Inbound {
	const inbound: Inbound = { messages: [], marks: [], writers: [], changes: [], shared: [] }
	for (const value of values.map((each) => cleanTexts(each))) {
		if (!isRecord(value) || !Array.isArray(value.messages)) continue
		const names = readNames(value.contacts)
		for (const message of (value.messages as unknown[]).filter(isRecord)) readMessage(message, { inbound, names, now })
	}
	return inbound
}

function readMessage(
	message: Record<string, unknown>,
	{ inbound, names, now }: { inbound: Inbound; names: Map<string, string>; now: Date },
): void {
	const change = readChange(message)
	const chat = writerKey(message.from, message.from_user_id) ?? change?.from[0] ?? change?.into
	const read = chat && readContentOf(message, { chat, now })
	if (!read) return
	const { wamid, at } = read
	// A note about a changed number does not mean that the customer wrote.
	if (message.type !== 'system') {
		const userId = readUserId(message.from_user_id)
		const profileName = names.get(chat) ?? null
		inbound.writers.push({ chat, userId: userId === chat ? null : userId, profileName, wamid, at })
	}
	if (change) inbound.changes.push({ ...change, wamid, at })
	const card = readSharedCard(message)
	if (card) inbound.shared.push({ wamid, at, from: chat, number: card.number, name: names.get(chat) ?? card.name })
	if (read.mark) inbound.marks.push(read.mark)
	if (read.message) inbound.messages.push(read.message)
}

/**
 * Reads a message of a chat, or the reaction, edit or revocation that it is; neither for a mark without its target. Returns null
 * without a message id.
 */
export function readContentOf(
	message: Record<string, unknown>,
	{ chat, now }: { chat: string; now: Date },
): { wamid: string; at: Date; message: InboundMessage | null; mark: InboundMark | null } | null {
	const wamid = wamidOf(message.id)
	if (!wamid) return null
	const at = timeOf(message.timestamp, now)
	const mark = readMark(message)
	if (mark || MARK_KINDS.includes(String(message.type)))
		return { wamid, at, message: null, mark: mark && { ...mark, chat, at, wamid } }
	const context = isRecord(message.context) ? message.context : {}
	const content = readContent(message)
	const occasion = occasionOf(message, context)
	const body = occasion ? { ...content.body, occasion } : content.body
	// A note of WhatsApp quotes nothing.
	const replyWamid = message.type === 'system' ? null : wamidOf(context.id)
	return { wamid, at, message: { ...content, body, chat, wamid, at, replyWamid }, mark: null }
}

/**
 * Returns the change that a note of WhatsApp announces; null for other messages. A note about a number comes from the former
 * number; a note about a user id, from the present one if it names any.
 */
function readChange({
	type,
	system,
	from,
	from_user_id,
}: Record<string, unknown>): Pick<PersonChange, 'from' | 'into' | 'userId'> | null {
	if (type !== 'system' || !isRecord(system)) return null
	const isOfNumber = system.type === 'user_changed_number' || system.type === 'customer_changed_number'
	if (!isOfNumber && system.type !== 'user_changed_user_id') return null
	const named = numberOf(system.wa_id ?? system.new_wa_id)
	const number = named ?? (isOfNumber ? null : numberOf(from))
	const userId = readUserId(system.user_id)
	const into = number ?? userId
	if (into === null) return null
	const former = [isOfNumber ? numberOf(from) : null, readUserId(system.previous_user_id), readUserId(from_user_id)]
	const ids = [...new Set(former.filter((id) => id !== null))].filter((id) => id !== into && id !== userId)
	return { from: ids, into, userId: userId === into ? null : userId }
}

/** Returns the number of a card that its owner sent on request; null for every other message, whose cards prove nothing. */
function readSharedCard({ type, contacts }: Record<string, unknown>): { number: string; name: string | null } | null {
	const [card] = type === 'contacts' && Array.isArray(contacts) ? (contacts as unknown[]).filter(isRecord) : []
	if (card?.origin !== 'contact_request' || !Array.isArray(card.phones)) return null
	const [phone] = (card.phones as unknown[]).filter(isRecord)
	const number = phone && (numberOf(phone.wa_id) ?? readNumber(idText(phone.phone)))
	const name = isRecord(card.name) ? oneLine(textOf(card.name.formatted_name)).slice(0, MAX_NAME_LENGTH) : ''
	return number ? { number, name: name.toWellFormed() || null } : null
}

/** Returns a WhatsApp id as the number that people dial; null for anything else. */
function numberOf(value: unknown): string | null {
	const key = writerKey(value, null)
	return key !== null && isUserId(key) ? null : key
}

/** Returns the ad from which the customer came or the product of the question; null when the message names neither. */
function occasionOf(
	{ referral }: Record<string, unknown>,
	{ referred_product }: Record<string, unknown>,
): string | null {
	const product = isRecord(referred_product) ? idText(referred_product.product_retailer_id) : ''
	if (product !== '') return `Asks about your product ${product}`.slice(0, MAX_NAME_LENGTH).toWellFormed()
	if (!isRecord(referral)) return null
	const [kind, words] = [textOf(referral.source_type) || 'ad', textOf(referral.headline) || textOf(referral.body)]
	return `Came from your ${kind}${words && `: ${words}`}`.slice(0, MAX_NAME_LENGTH).toWellFormed()
}

/**
 * Returns the sender's key: the number as people dial it, or the business-scoped user id when the number is hidden.
 * Null without either.
 */
export function writerKey(from: unknown, fromUserId: unknown): string | null {
	const number = idText(from).replace(/^\+/, '')
	if (/^\d{5,20}$/.test(number)) return dialledForm(number)
	return readUserId(fromUserId) ?? readUserId(from)
}

function readUserId(value: unknown): string | null {
	return typeof value === 'string' && isUserId(value) ? value : null
}

export function readNames(contacts: unknown): Map<string, string> {
	const names = new Map<string, string>()
	for (const contact of Array.isArray(contacts) ? (contacts as unknown[]).filter(isRecord) : []) {
		const profile = isRecord(contact.profile) ? contact.profile : {}
		const given = [profile.name, profile.username].find((text) => typeof text === 'string' && text.trim() !== '')
		if (typeof given !== 'string') continue
		const name = oneLine(given).slice(0, MAX_NAME_LENGTH).toWellFormed()
		for (const key of [contact.wa_id, contact.user_id].map(idText)) if (key !== '') names.set(dialledForm(key), name)
	}
	return names
}

/**
 * Returns the text in one line, without characters that change the writing direction, whose effect would extend beyond the
 * name.
 */
function oneLine(text: string): string {
	return text
		.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim()
}

/**
 * Returns the time of a message, or the current time for an invalid timestamp. Meta sends whole seconds; the end of the
 * second is used, so that an answer does not sort before the message that it answers, but never a time in the future.
 */
function timeOf(timestamp: unknown, now: Date): Date {
	const seconds = Number(timestamp)
	const ms = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 + 999 : now.getTime()
	return new Date(Math.min(ms, now.getTime()))
}

const MARK_KINDS = ['reaction', 'edit', 'revoke']

/**
 * Returns a reaction, an edit or a revocation; null for another kind of message, or without the message that it
 * concerns.
 */
function readMark(message: Record<string, unknown>): Pick<InboundMark, 'targetWamid' | 'kind' | 'value'> | null {
	const kind = MARK_KINDS.find((each) => each === message.type) as InboundMark['kind'] | undefined
	const content = kind ? message[kind] : null
	if (!kind || !isRecord(content)) return null
	const context = isRecord(message.context) ? message.context : {}
	const targetWamid = wamidOf(content.message_id) ?? wamidOf(content.original_message_id) ?? wamidOf(context.id)
	if (!targetWamid) return null
	if (kind === 'reaction') {
		const emoji = typeof content.emoji === 'string' ? content.emoji : ''
		return { targetWamid, kind, value: Array.from(emoji).slice(0, MAX_EMOJI_LENGTH).join('') }
	}
	if (kind === 'revoke') return { targetWamid, kind, value: '' }
	const edited = isRecord(content.message) ? content.message : content
	return { targetWamid, kind, value: readContent({ type: 'text', ...edited }).body.text ?? '' }
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : ''
}

function wamidOf(value: unknown): string | null {
	return typeof value === 'string' && value !== '' && value.length <= MAX_WAMID_LENGTH ? value : null
}
