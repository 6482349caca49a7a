import { cleanName } from '#features/contacts/rules.ts'
import { isRecord } from '#features/whatsapp/server/graph-client.ts'
import { isUserId } from '#lib/phone/phone.ts'
import { cleanTexts } from '#lib/text/clean-texts.ts'
import { idText } from '../inbound/content-reader.ts'
import type { AppMessage } from '../inbound/inbound-queries.ts'
import { readContentOf, readNames, writerKey, type InboundMark } from '../inbound/message-reader.ts'

/** Messages of the phone app, and reactions, edits and revocations that the business made there. */
export interface AppMessages {
	messages: AppMessage[]
	marks: InboundMark[]
	/** Profile names by key of the chat. */
	names: Map<string, string>
}

/**
 * Reads values of the webhook field "smb_message_echoes": the messages that the business wrote in the phone app. Skips echoes
 * without a message id or a customer, and echoes that another number wrote.
 */
export function readEchoes(values: readonly unknown[], now: Date): AppMessages {
	const read: AppMessages = { messages: [], marks: [], names: new Map() }
	for (const value of values.map((each) => cleanTexts(each))) {
		if (!isRecord(value) || !Array.isArray(value.message_echoes)) continue
		for (const [key, name] of readNames(value.contacts)) read.names.set(key, name)
		for (const echo of (value.message_echoes as unknown[]).filter(isRecord)) {
			const chat = writerKey(echo.to, echo.to_user_id)
			if (chat === null || !isFromBusiness(echo, value)) continue
			add(read, echo, { chat, direction: 'out', origin: 'phone', now })
		}
	}
	return read
}

/** Returns true when the business's number of this webhook wrote the message. An absent number counts as the business's. */
function isFromBusiness(message: Record<string, unknown>, { metadata }: Record<string, unknown>): boolean {
	const from = digitsOf(message.from)
	const own = isRecord(metadata) ? digitsOf(metadata.display_phone_number) : ''
	return from === '' || own === '' || from === own
}

function digitsOf(value: unknown): string {
	return idText(value).replace(/\D/g, '')
}

function add(
	{ messages, marks }: AppMessages,
	message: Record<string, unknown>,
	{ chat, direction, origin, now }: Pick<AppMessage, 'chat' | 'direction' | 'origin'> & { now: Date },
): void {
	const read = readContentOf(message, { chat, now })
	if (read?.message) messages.push({ ...read.message, direction, origin })
	if (read?.mark && direction === 'out') marks.push(read.mark)
}

/**
 * Reads values of the webhook field "history": messages of the last months, which WhatsApp sends once after the app is
 * connected, in any order. Files follow as messages of their own, with the ids of their placeholders. Skips messages of a
 * webhook that does not name the business's number, since their direction is unknown.
 */
export function readHistory(values: readonly unknown[], now: Date): AppMessages {
	const read: AppMessages = { messages: [], marks: [], names: new Map() }
	for (const value of values.map((each) => cleanTexts(each))) {
		if (!isRecord(value)) continue
		const own = isRecord(value.metadata) ? digitsOf(value.metadata.display_phone_number) : ''
		const threads = recordsIn(value.history).flatMap((part) => recordsIn(part.threads))
		for (const { id, messages } of [...threads, { id: null, messages: value.messages }])
			for (const message of recordsIn(messages)) {
				const isOwn = digitsOf(message.from) === own
				const named = isOwn ? writerKey(message.to, message.to_user_id) : writerKey(message.from, message.from_user_id)
				const chat = named ?? writerKey(id, id)
				if (own !== '' && chat !== null)
					add(read, message, { chat, direction: isOwn ? 'out' : 'in', origin: 'history', now })
			}
	}
	return read
}

/** A contact of the phone app; `name` is null for a removed contact. */
export interface AppContact {
	number: string
	name: string | null
}

/** Reads values of the webhook field "smb_app_state_sync". Of several changes of a contact, the latest counts. */
export function readAppContacts(values: readonly unknown[]): AppContact[] {
	const latest = new Map<string, AppContact & { at: number }>()
	for (const value of values.map((each) => cleanTexts(each)))
		for (const { type, contact, action, metadata } of isRecord(value) ? recordsIn(value.state_sync) : []) {
			if (type !== 'contact' || !isRecord(contact)) continue
			const number = writerKey(contact.phone_number, null)
			const isKnown = action === 'add' || action === 'remove'
			if (number === null || isUserId(number) || !isKnown) continue
			const at = isRecord(metadata) ? Number(metadata.timestamp) || 0 : 0
			const texts = [contact.full_name, contact.first_name].map((text) =>
				typeof text === 'string' ? cleanName(text) : '',
			)
			const name = action === 'add' ? texts.find((text) => text !== '') || number : null
			if (at >= (latest.get(number)?.at ?? 0)) latest.set(number, { number, name, at })
		}
	return Array.from(latest.values(), ({ number, name }) => ({ number, name }))
}

function recordsIn(value: unknown): Record<string, unknown>[] {
	return Array.isArray(value) ? (value as unknown[]).filter(isRecord) : []
}
