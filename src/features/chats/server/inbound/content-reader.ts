import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { fileNameOf } from '#lib/server/files/file-name.ts'
import { parseJson } from '#lib/text/parse-json.ts'
import type { MessageBody } from '../history-queries.ts'

/** Content of an inbound message. */
export interface Content {
	kind: string
	body: MessageBody
	media: { id: string; type: string | null; name: string | null } | null
	/** Payload of one of our buttons, which gives the tap its meaning; null for other messages. */
	payload: string | null
}

type Part = Record<string, unknown>

/** Type of a file in the history of the phone app whose content may follow. */
const PLACEHOLDER = 'media_placeholder'
/** Error code of a message that only the phone app can show. */
const ONLY_ON_PHONE_CODE = 131060

const MAX_TEXT_LENGTH = 65_536
const MAX_CARDS = 50
/** Maximum number of lines of an order or a form. */
const MAX_LINES = 50
const MAX_PHONES = 10
const MEDIA = ['image', 'video', 'document', 'audio', 'sticker']

/** Reads a message of any kind. The content of an unknown kind is stored unchanged and shown as unsupported. */
export function readContent(message: Part): Content {
	const type = String(message.type)
	// The type is external input: it may be the name of an inherited property, such as `constructor`.
	const part = Object.hasOwn(message, type) ? message[type] : undefined
	const nothing = { media: null, payload: null }
	const mediaId = MEDIA.includes(type) && isRecord(part) ? idText(part.id) : ''
	if (isRecord(part) && mediaId !== '') return readMedia(type, part, mediaId)
	if (type === 'contacts' && Array.isArray(part)) return { ...nothing, kind: type, body: { cards: readCards(part) } }
	if (type === 'interactive' && isRecord(part)) return readInteractive(part)
	const read = isRecord(part) && Object.hasOwn(READERS, type) ? READERS[type]?.(part) : undefined
	if (read) return { ...nothing, kind: type, ...read }
	if (type === PLACEHOLDER || isOnlyOnPhone(message)) return { ...nothing, kind: 'phone_only', body: {} }
	return { ...nothing, kind: 'unsupported', body: { raw: message } }
}

function isOnlyOnPhone({ errors }: Part): boolean {
	const known = Array.isArray(errors) ? (errors as unknown[]).filter(isRecord) : []
	return known.some(({ code }) => Number(code) === ONLY_ON_PHONE_CODE)
}

/** Readers by kind of message. Each returns undefined when the content lacks its main part. */
const READERS: Record<string, (part: Part) => { body: MessageBody; payload?: string } | undefined> = {
	text: ({ body }) => (typeof body === 'string' ? { body: { text: text(body) } } : undefined),
	button: (part) => ({ body: { text: text(part.text) }, payload: text(part.payload) }),
	order: (part) => ({ body: { text: [...readItems(part.product_items), text(part.text)].filter(Boolean).join('\n') } }),
	system: (part) => ({ body: { text: text(part.body) || 'Their number has changed' } }),
	location(part) {
		const [latitude, longitude] = [Number(part.latitude), Number(part.longitude)]
		const exists = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
		const [name, address] = [text(part.name) || null, text(part.address) || null]
		return exists ? { body: { location: { latitude, longitude, name, address } } } : undefined
	},
}

function readMedia(kind: string, part: Part, id: string): Content {
	const name = typeof part.filename === 'string' ? fileNameOf(part.filename) || null : null
	const type = typeof part.mime_type === 'string' ? (part.mime_type.split(';')[0] ?? '').trim().slice(0, 100) : null
	const media = { id: id.slice(0, 100), type: type || null, name }
	return { kind, body: { text: text(part.caption) }, media, payload: null }
}

function readInteractive(part: Part): Content {
	const type = String(part.type)
	const reply = Object.hasOwn(part, type) && isRecord(part[type]) ? part[type] : {}
	const said = type === 'nfm_reply' ? readForm(reply) : text(reply.title)
	const description = text(reply.description)
	const body = { text: description ? `${said}\n${description}` : said, ...(type === 'nfm_reply' && { raw: reply }) }
	if (said === '') return { kind: 'unsupported', body: { raw: part }, media: null, payload: null }
	return { kind: 'interactive', body, media: null, payload: text(reply.id) || null }
}

/**
 * Returns the lines of an order: quantity, product and price of each of the first `MAX_LINES` products, and the number
 * of further ones.
 */
function readItems(items: unknown): string[] {
	const known = Array.isArray(items) ? (items as unknown[]).filter(isRecord) : []
	const lines = known.slice(0, MAX_LINES).map((item) => {
		const what = `${idText(item.quantity) || 1} × ${idText(item.product_retailer_id) || 'Product'}`
		const price = priceText(item.item_price, text(item.currency))
		return price ? `${what}, ${price} each` : what
	})
	return known.length > MAX_LINES ? [...lines, `and ${known.length - MAX_LINES} more`] : lines
}

/** Returns the price as text; null for an invalid one. Amounts in other currencies stay unchanged. */
function priceText(amount: unknown, currency: string): string | null {
	const paise = typeof amount === 'number' || typeof amount === 'string' ? paiseFromRupees(amount) : null
	if (paise === null) return null
	return currency === 'INR' ? formatRupees(rupeesFromPaise(paise)) : `${currency} ${String(amount)}`.trim()
}

/** Returns the text of a form reply, and the first `MAX_LINES` answers as lines, each with the name of its field. */
function readForm(reply: Part): string {
	const answers = Object.entries(parseRecord(text(reply.response_json)))
		.filter(([name]) => name !== 'flow_token')
		.flatMap(([name, value]) => {
			const given = Array.isArray(value) ? value.filter(isPlain).join(', ') : isPlain(value) ? String(value) : ''
			return given === '' ? [] : [`${fieldName(name)}: ${given}`]
		})
	return text([text(reply.body) || 'Form sent', ...answers.slice(0, MAX_LINES)].join('\n'))
}

/** Returns a readable field name: WhatsApp Manager names fields like screen_0_Name_1. */
function fieldName(name: string): string {
	return name.replace(/^screen_\d+_(.+?)(?:_\d+)?$/, '$1').replaceAll('_', ' ')
}

function isPlain(value: unknown): value is string | number | boolean {
	return ['string', 'number', 'boolean'].includes(typeof value)
}

function parseRecord(json: string): Part {
	const value = parseJson(json)
	return isRecord(value) ? value : {}
}

function readCards(contacts: unknown[]): NonNullable<MessageBody['cards']> {
	return contacts
		.filter(isRecord)
		.slice(0, MAX_CARDS)
		.map((contact) => {
			const name = isRecord(contact.name) ? text(contact.name.formatted_name) : ''
			const phones = Array.isArray(contact.phones) ? (contact.phones as unknown[]).filter(isRecord) : []
			const numbers = phones.map((phone) => text(phone.phone) || text(phone.wa_id)).filter(Boolean)
			return { name: name || numbers[0] || 'Contact', phones: numbers.slice(0, MAX_PHONES) }
		})
}

/** Returns an id or a number as text, because Meta writes both forms; empty for another value. */
export function idText(value: unknown): string {
	return Number.isSafeInteger(value) ? String(value) : text(value)
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : ''
}
