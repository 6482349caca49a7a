import { isRecord } from '#features/whatsapp/server/graph-client.ts'
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
 * Reads values of the webhook field "smb_message_echoes": what the business typed in the phone app. Skips echoes without a
 * message id or a customer, and echoes that another number wrote.
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
