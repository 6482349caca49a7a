import { queryOptions, skipToken } from '@tanstack/react-query'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { draftOf, likeForm } from '#lib/web/drafts/draft-store.ts'
import { queryClient } from '#lib/web/query.ts'
import { storedUserId } from '#lib/web/session.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { chats, type ChatMessage } from '../contract.ts'
import { chatError } from './chat-error.ts'
import { showSent } from './chat-queries.ts'
import { keepMedia, mediaFile } from './history/media/media-file.ts'

/** The message that a reply quotes. */
export interface Quoted {
	id: string
	text: string
}

/** A message that the server has not confirmed. */
export interface OutgoingMessage {
	/** The idempotency key; a retry keeps it, so that the message is sent once. */
	requestId: string
	number: string
	text: string
	file: File | null
	replyTo: Quoted | null
	createdAt: string
	state: 'sending' | 'failed'
	error: string | null
}

const REFUSED = 'Failed to send message'
const UNREACHABLE = 'Error sending message. Please try again.'

const OUTBOX = 'chat-outbox'
// The outbox is retained when the screen unmounts. Signing out clears the whole query cache.
queryClient.setQueryDefaults([OUTBOX], { gcTime: Infinity, staleTime: Infinity, structuralSharing: false })

export function outbox(number: string) {
	return queryOptions({ queryKey: [OUTBOX, number], queryFn: skipToken, initialData: () => restored(number) })
}

function update(number: string, change: (messages: OutgoingMessage[]) => OutgoingMessage[]): void {
	const { queryKey } = outbox(number)
	const messages = change(queryClient.getQueryData(queryKey) ?? restored(number))
	queryClient.setQueryData(queryKey, messages)
	storeOf(number).write(messages.filter(({ file }) => !file).map(keptPart), [])
}

function storeOf(number: string) {
	return draftOf(`chat-outbox:${number}`)
}

const NOTHING_KEPT = {
	requestId: '',
	text: '',
	replyTo: null as Quoted | null,
	createdAt: '',
	error: null as string | null,
}

/**
 * Returns the part of a message that survives a reload. A file does not survive, so a message with a file is not stored
 * at all.
 */
function keptPart({ requestId, text, replyTo, createdAt, error }: OutgoingMessage): typeof NOTHING_KEPT {
	return { requestId, text, replyTo, createdAt, error }
}

/**
 * Returns stored unconfirmed messages as failed. The server may have received them; a retry with the same request id
 * returns the stored message.
 */
function restored(number: string): OutgoingMessage[] {
	const kept = storeOf(number).read()
	return (Array.isArray(kept) ? kept : []).flatMap((one: unknown) => {
		const part = likeForm(one, NOTHING_KEPT)
		if (!part?.requestId) return []
		return { ...part, number, file: null, state: 'failed' as const, error: part.error ?? UNREACHABLE }
	})
}

/** Removes messages that the server has confirmed in the meantime. */
export function discardConfirmed(number: string, messages: readonly ChatMessage[]): void {
	const confirmed = new Set(messages.map(({ requestId }) => requestId))
	const outgoing = queryClient.getQueryData(outbox(number).queryKey) ?? []
	if (outgoing.some(({ requestId }) => confirmed.has(requestId)))
		update(number, (old) => old.filter(({ requestId }) => !confirmed.has(requestId)))
}

function set(message: OutgoingMessage): void {
	update(message.number, (old) =>
		old.some(({ requestId }) => requestId === message.requestId)
			? old.map((one) => (one.requestId === message.requestId ? message : one))
			: [...old, message],
	)
}

export function discard({ number, requestId }: OutgoingMessage): void {
	update(number, (old) => old.filter((one) => one.requestId !== requestId))
}

/** Shows the message, and sends it after the earlier messages of the same chat. */
export function send(draft: Pick<OutgoingMessage, 'number' | 'text' | 'file' | 'replyTo'>): void {
	const createdAt = new Date().toISOString()
	enqueue({ ...draft, requestId: newRequestId(), createdAt, state: 'sending', error: null })
}

export function retry(message: OutgoingMessage): void {
	enqueue({ ...message, state: 'sending', error: null })
}

const queues = new Map<string, Promise<void>>()

function enqueue(message: OutgoingMessage): void {
	set(message)
	const before = queues.get(message.number) ?? Promise.resolve()
	const sender = storedUserId()
	const mine = before.then(() => post(message, () => storedUserId() === sender))
	queues.set(message.number, mine)
	void mine.then(() => {
		if (queues.get(message.number) === mine) queues.delete(message.number)
	})
}

/** Sends a message. Ignores the answer when another user has signed in in the meantime. */
async function post(message: OutgoingMessage, isSenderHere: () => boolean): Promise<void> {
	const { number, text, file, replyTo, requestId } = message
	try {
		const { newMessage } = await call(chats.send, {
			body: { number, message: text || undefined, replyTo: replyTo?.id, requestId },
			files: { media: file },
		})
		if (!isSenderHere()) return
		if (file) keepMedia(newMessage, file)
		showSent(number, newMessage)
		discard(message)
		report(number, newMessage)
	} catch (error) {
		if (!(error instanceof ApiError)) throw error
		const words = chatError(error, REFUSED, UNREACHABLE)
		if (isSenderHere()) set({ ...message, state: 'failed', error: words })
		chatToast.error(words)
	}
}

const SENT = 'chat-sent'

/** Returns the query of the number of messages that this page has sent in a chat. */
export function sentCount(number: string) {
	return queryOptions({ queryKey: [SENT, number], queryFn: skipToken, initialData: 0 })
}

/** Shows the outcome of a sent message: a failure as a toast, success below the messages; nothing while it is pending. */
export function report(number: string, { status, error }: ChatMessage): void {
	if (status === 'failed') return chatToast.error(error ?? REFUSED)
	if (status === 'pending') return
	queryClient.setQueryData(sentCount(number).queryKey, (count: number | undefined) => (count ?? 0) + 1)
}

/** Sends a message that WhatsApp has refused again, as a new message. */
export async function sendAgain(number: string, message: ChatMessage): Promise<void> {
	try {
		const file = message.mediaUrl ? await queryClient.fetchQuery(mediaFile(message)) : null
		const { replyTo } = message
		const quoted = replyTo?.id ? { id: replyTo.id, text: replyTo.text } : null
		send({ number, text: message.text, file, replyTo: quoted })
	} catch (error) {
		chatToast.error(chatError(error, REFUSED, UNREACHABLE))
	}
}
