import type { ChatMessage } from '#features/chats/contract.ts'
import type { Note } from '#features/customers/contract.ts'
import { indianDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/durations.ts'
import type { Conversation } from '../merge.ts'
import type { OutgoingMessage } from '../outbox.ts'

/** A message in the history, confirmed or not. */
export interface Entry {
	/** The React key. Unchanged when the server confirms the message, so that its bubble is not remounted. */
	key: string
	message: ChatMessage
	/** Set until the server has confirmed the message; then null. */
	outgoing: OutgoingMessage | null
	/** The note that `message` represents; null for a message. */
	note: Note | null
	/** The Indian date, such as 2026-11-21, on the first message of a day; otherwise null. */
	day: string | null
	/** True if the previous message has the same direction and day. */
	follows: boolean
}

/**
 * Returns the server's messages with the notes between them, followed by unconfirmed messages. While older messages can be
 * loaded, the notes from before the loaded ones are left out.
 */
export function timeline(
	{ messages, notes, hasMore }: Pick<Conversation, 'messages' | 'notes' | 'hasMore'>,
	outgoing: readonly OutgoingMessage[],
): Entry[] {
	const confirmed = new Set(messages.map(({ requestId }) => requestId))
	const waiting = outgoing.filter(({ requestId }) => !confirmed.has(requestId))
	const since = hasMore ? (messages[0]?.timestamp ?? '') : ''
	const written = notes.filter(({ createdAt }) => createdAt >= since)
	const lines = [
		// The sort is stable, and messages of the server are in order already.
		...[
			...messages.map((message) => ({ message, outgoing: null, note: null })),
			...written.map((note) => ({ message: ofNote(note), outgoing: null, note })),
		].toSorted(
			({ message: a }, { message: b }) => Number(a.timestamp > b.timestamp) - Number(a.timestamp < b.timestamp),
		),
		...waiting.map((one) => ({ message: asMessage(one), outgoing: one, note: null })),
	]
	let day = ''
	let side = ''
	return lines.map((line) => {
		const { message } = line
		const own = indianDay(Date.parse(message.timestamp))
		const isNewDay = own !== day
		const entry = {
			...line,
			key: message.requestId ?? message.id,
			day: isNewDay ? own : null,
			follows: !isNewDay && side === sideOf(line),
		}
		day = own
		side = sideOf(line)
		return entry
	})
}

function asMessage({ requestId, text, file, replyTo, createdAt, state, error }: OutgoingMessage): ChatMessage {
	return {
		...BLANK,
		id: `outgoing-${requestId}`,
		kind: file ? kindOf(file.type) : 'text',
		text,
		mediaType: file ? file.type : null,
		mediaName: file ? file.name : null,
		mediaState: file ? 'ready' : null,
		status: state === 'failed' ? 'failed' : 'pending',
		error,
		timestamp: createdAt,
		reactions: [],
		replyTo: replyTo && { ...replyTo, campaign: null },
		requestId,
	}
}

function ofNote({ _id, text, createdAt }: Note): ChatMessage {
	return { ...BLANK, id: `note-${_id}`, kind: 'note', text, status: 'sent', timestamp: createdAt }
}

const BLANK = {
	from: 'me',
	mediaUrl: null,
	mediaType: null,
	mediaName: null,
	mediaState: null,
	error: null,
	reactions: [],
	replyTo: null,
	isEdited: false,
	isRevoked: false,
	location: null,
	cards: [],
	components: null,
	campaign: null,
	requestId: null,
	isFromPhone: false,
	isAutomatic: false,
} satisfies Partial<ChatMessage>

function sideOf({ message, note }: Pick<Entry, 'message' | 'note'>): string {
	return note ? 'note' : message.from
}

function kindOf(mime: string): string {
	const [kind = ''] = mime.split('/')
	return kind === 'image' || kind === 'video' ? kind : 'document'
}

/** Returns Today or Yesterday; null for any other day. */
export function recentDay(day: string, now: number): string | null {
	if (day === indianDay(now)) return 'Today'
	return day === indianDay(now - DAY_MS) ? 'Yesterday' : null
}

/** Returns the number of incoming messages after the one with this key; of all, if it is not among the entries. */
export function countMissed(entries: readonly Entry[], lastSeenKey: string | null): number {
	if (lastSeenKey === null) return 0
	const seen = entries.findIndex(({ key }) => key === lastSeenKey)
	return entries.slice(seen + 1).filter(({ message }) => message.from === 'other').length
}
