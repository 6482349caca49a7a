import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { cleanTexts } from '#lib/clean-texts.ts'
import { dialledForm, isUserId } from '#lib/phone.ts'
import { idText, readContent, type Content } from './content-reader.ts'

/** A customer's message, as it becomes a row. */
export interface InboundMessage extends Content {
	chat: string
	wamid: string
	at: Date
	/** The wamid of the message that it answers. */
	replyWamid: string | null
}

/** What happened to a message that there is, or that will arrive later. */
export interface InboundMark {
	chat: string
	targetWamid: string
	kind: 'reaction' | 'edit' | 'revoke'
	value: string
	at: Date
	wamid: string
}

/** Somebody who wrote: their name as they gave it, and when. */
interface Writer {
	chat: string
	/** Beside their number; null where the message names no other than the chat's key. */
	userId: string | null
	profileName: string | null
	wamid: string
	at: Date
}

/** A person's new number, told by a message from the old one. */
export interface NumberChange {
	wamid: string
	from: string
	into: string
}

export interface Inbound {
	messages: InboundMessage[]
	marks: InboundMark[]
	writers: Writer[]
	changes: NumberChange[]
}

const MAX_WAMID_LENGTH = 255
const MAX_NAME_LENGTH = 200
const MAX_EMOJI_LENGTH = 40

/** Reads the values of the webhook field "messages". What names neither a message nor its sender is left out. */
export function readInbound(values: readonly unknown[], now: Date): Inbound {
	const inbound: Inbound = { messages: [], marks: [], writers: [], changes: [] }
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
	const chat = writerKey(message.from, message.from_user_id)
	const wamid = wamidOf(message.id)
	if (!chat || !wamid) return
	const at = timeOf(message.timestamp, now)
	const mark = readMark(message)
	// That a number has changed says nothing of when its owner wrote.
	if (message.type !== 'system') {
		const userId = readUserId(message.from_user_id)
		const profileName = names.get(chat) ?? null
		inbound.writers.push({ chat, userId: userId === chat ? null : userId, profileName, wamid, at })
	}
	const changed = newNumberOf(message)
	if (changed !== null && changed !== chat) inbound.changes.push({ wamid, from: chat, into: changed })
	if (mark) inbound.marks.push({ ...mark, chat, at, wamid })
	if (mark || MARK_KINDS.includes(String(message.type))) return
	const context = isRecord(message.context) ? message.context : {}
	const content = readContent(message)
	const occasion = occasionOf(message, context)
	const body = occasion ? { ...content.body, occasion } : content.body
	// A note of WhatsApp quotes nothing.
	const replyWamid = message.type === 'system' ? null : wamidOf(context.id)
	inbound.messages.push({ ...content, body, chat, wamid, at, replyWamid })
}

/** Returns the number that a person has from now on; null for all messages but those about a changed number. */
function newNumberOf({ type, system }: Record<string, unknown>): string | null {
	if (type !== 'system' || !isRecord(system)) return null
	if (system.type !== 'user_changed_number' && system.type !== 'customer_changed_number') return null
	const number = writerKey(system.wa_id ?? system.new_wa_id, null)
	return number !== null && isUserId(number) ? null : number
}

/** Which ad they have come from, or which product they ask about; null when the message says neither. */
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

/** Returns the sender's key: the number as people dial it, or the business-scoped user id where the number is hidden. */
export function writerKey(from: unknown, fromUserId: unknown): string | null {
	const number = idText(from).replace(/^\+/, '')
	if (/^\d{5,20}$/.test(number)) return dialledForm(number)
	return readUserId(fromUserId) ?? readUserId(from)
}

function readUserId(value: unknown): string | null {
	return typeof value === 'string' && isUserId(value) ? value : null
}

function readNames(contacts: unknown): Map<string, string> {
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

/** Without line breaks and signs that turn the direction of text, which would reach beyond the name. */
function oneLine(text: string): string {
	return text
		.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim()
}

/**
 * Meta tells whole seconds: a message stands at the end of its second, so that an answer does not come before what it
 * answers, and never in the future.
 */
function timeOf(timestamp: unknown, now: Date): Date {
	const seconds = Number(timestamp)
	const ms = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 + 999 : now.getTime()
	return new Date(Math.min(ms, now.getTime()))
}

const MARK_KINDS = ['reaction', 'edit', 'revoke']

/** A reaction, an edit or a revocation; null for all that is a message of its own. */
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
