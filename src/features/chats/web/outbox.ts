import { queryOptions, skipToken } from '@tanstack/react-query'
import { newRequestId } from '#lib/request-id.ts'
import { ApiError, call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
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

const OUTBOX = 'chat-outbox'
// Kept when the screen unmounts. Signing out clears the whole query cache.
queryClient.setQueryDefaults([OUTBOX], { gcTime: Infinity, staleTime: Infinity, structuralSharing: false })

export function outbox(number: string) {
	return queryOptions<OutgoingMessage[]>({ queryKey: [OUTBOX, number], queryFn: skipToken })
}

function update(number: string, change: (messages: OutgoingMessage[]) => OutgoingMessage[]): void {
	queryClient.setQueryData(outbox(number).queryKey, (old: OutgoingMessage[] | undefined) => change(old ?? []))
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

/** Shows the message at once, and sends it when the earlier ones of the same chat are done. */
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
	const mine = before.then(() => post(message))
	queues.set(message.number, mine)
	void mine.then(() => {
		if (queues.get(message.number) === mine) queues.delete(message.number)
	})
}

const REFUSED = 'Failed to send message'
const UNREACHABLE = 'Error sending message. Please try again.'

async function post(message: OutgoingMessage): Promise<void> {
	const { number, text, file, replyTo, requestId } = message
	try {
		const { newMessage } = await call(chats.send, {
			body: { number, message: text || undefined, replyTo: replyTo?.id, requestId },
			files: { media: file },
		})
		if (file) keepMedia(newMessage, file)
		showSent(number, newMessage)
		discard(message)
		report(newMessage)
	} catch (error) {
		if (!(error instanceof ApiError)) throw error
		const words = chatError(error, REFUSED, UNREACHABLE)
		set({ ...message, state: 'failed', error: words })
		chatToast.error(words)
	}
}

/** Shows the outcome of a sent message; none yet while it is pending at WhatsApp. */
export function report({ status, error }: ChatMessage): void {
	if (status === 'failed') chatToast.error(error ?? REFUSED)
	else if (status !== 'pending') chatToast.success('Message sent successfully')
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
