import type { NetworkState } from '#simulator/network-state.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import { digitsOf, waIdOf } from '#simulator/state/digits.ts'
import { newInboundWamid } from '../wamid.ts'
import { change } from '../webhooks/change.ts'
import { mediaUrl } from './media-url.ts'
import { sampleOf } from './sample-media.ts'

export interface InboundMessage {
	phone_number_id: string
	/** Number of the customer. */
	from: string
	/** Business-scoped user id of a customer who hides their number. The webhook then contains no number. */
	user_id?: string
	/** Profile name; derived from the number by default. */
	name?: string
	/** Type of the inbound message; `text` by default. */
	type?: string
	/** Object of the message's type for the webhook; by default a typical one, with a real file for media. */
	content?: Record<string, unknown> | unknown[]
	/** Id of the message that the customer replies to. */
	context_id?: string
	/** Ad by which the customer came, as the webhook names it. */
	referral?: Record<string, unknown>
}

const NAMES = [
	'Meera Joshi',
	'Arjun Nair',
	'Kavya Reddy',
	'Rohan Gupta',
	'Ananya Das',
	'Vikram Singh',
	'Priya Menon',
	'Zoë Fernandes',
]
const CARDS = [{ name: { formatted_name: 'Meera Joshi' }, phones: [{ phone: '+91 98765 43210', type: 'CELL' }] }]
const TYPICAL: Record<string, Record<string, unknown> | unknown[]> = {
	text: { body: 'Hello, is this still available? 🙂' },
	location: { latitude: 18.5204, longitude: 73.8567, name: 'Camp', address: 'MG Road, Pune' },
	button: { text: 'Yes', payload: 'Yes' },
	interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
	contacts: CARDS,
	unsupported: { type: 'unknown' },
}

/**
 * Receives a message from a customer: opens the customer service window and notifies the receiver. Returns the message's id.
 */
export function receiveFromCustomer(state: NetworkState, phone: Phone, message: InboundMessage): string {
	const from = waIdOf(`+${digitsOf(message.from)}`, phone.country) ?? digitsOf(message.from)
	const type = message.type ?? 'text'
	const id = newInboundWamid(phone.id, from)
	const content = message.content ?? TYPICAL[type] ?? {}
	const context = message.context_id === undefined ? {} : { context: { from: phone.digits, id: message.context_id } }
	const timestamp = String(Math.floor(Date.now() / 1_000))
	const errors = type === 'unsupported' ? { errors: [UNSUPPORTED] } : {}
	const sender = message.user_id === undefined ? { from } : { from_user_id: message.user_id }
	const whole = {
		...context,
		...(message.referral === undefined ? {} : { referral: message.referral }),
		...sender,
		id,
		timestamp,
		...errors,
		type,
		[type]: withFile(state, phone, { type, content }),
	}
	const profile = { name: message.name ?? nameOf(from) }
	const contacts = [message.user_id === undefined ? { profile, wa_id: from } : { profile, user_id: message.user_id }]
	const metadata = { display_phone_number: phone.digits, phone_number_id: phone.id }
	const value = {
		messaging_product: 'whatsapp',
		metadata,
		...(type === 'system' ? {} : { contacts }),
		messages: [whole],
	}
	state.windows.touch(phone.id, message.user_id ?? from, Date.now())
	state.traffic.announce(state.directory.accountOf(phone), change('messages', value), { timed: false })
	return id
}

/** Receives the message of a customer who came by an ad. Returns the message's id. */
export function receiveFromAd(
	state: NetworkState,
	phone: Phone,
	{ forMs, ...message }: { phone_number_id: string; from: string; forMs: number },
): string {
	const from = waIdOf(`+${digitsOf(message.from)}`, phone.country) ?? digitsOf(message.from)
	state.entryPoints.arrive(phone.id, from, forMs)
	return receiveFromCustomer(state, phone, { ...message, referral: AD })
}

const AD = {
	source_url: 'https://fb.me/1a2b3c',
	source_type: 'ad',
	source_id: '120200000000000001',
	headline: 'Diwali offers',
	body: 'Write to us on WhatsApp',
	media_type: 'image',
	ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ',
}

const UNSUPPORTED = {
	code: 131051,
	title: 'Message type unknown',
	message: 'Message type unknown',
	error_data: { details: 'Message type is currently not supported.' },
}

export function nameOf(number: string): string {
	return NAMES[Number(number.slice(-4)) % NAMES.length] ?? 'Customer'
}

// Adds a sample file to a media message without one, so that its id can be downloaded.
function withFile(state: NetworkState, phone: Phone, { type, content }: Typed): unknown {
	const sample = sampleOf(type)
	if (!sample || Array.isArray(content) || content['id'] !== undefined) return content
	const about = { phone_number_id: phone.id, mime_type: sample.mime_type, file_name: sample.file_name }
	const { id, sha256, mime_type } = state.media.add(sample.bytes, about)
	const url = mediaUrl(id, state.listener?.url ?? '')
	const file = type === 'document' ? { filename: sample.file_name } : {}
	const kind = type === 'audio' ? { voice: false } : type === 'sticker' ? { animated: false } : {}
	return { ...file, ...kind, mime_type, sha256, id, url, ...content }
}

interface Typed {
	type: string
	content: Record<string, unknown> | unknown[]
}
