import { queryOptions } from '@tanstack/react-query'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { MINUTE_MS } from '#lib/durations.ts'
import { call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'

export interface MediaProps {
	message: ChatMessage
	/** The local file until the server has confirmed the message; otherwise null. */
	file: File | null
}

const KEPT_MS = 10 * MINUTE_MS

/** Returns the query of a message's file, fetched with the access token, which the browser would not send for an `img` URL. */
export function mediaFile({ mediaUrl }: Pick<ChatMessage, 'mediaUrl'>) {
	// The URL ends with `/api/chats/media/{id}`, and `?card=` for the file of a card.
	const [path = '', search] = mediaUrl?.split('?') ?? []
	const id = path.split('/').at(-1) ?? ''
	const card = new URLSearchParams(search).get('card') ?? undefined
	return queryOptions({
		queryKey: ['chat-media', id, card],
		queryFn: ({ signal }) => call(chats.media, { params: { id }, query: { card }, signal }),
		staleTime: Infinity,
		gcTime: KEPT_MS,
		structuralSharing: false,
		retry: false,
	})
}

/** Caches a file that this browser has just sent, so that it is not downloaded again. */
export function keepMedia(message: ChatMessage, file: File): void {
	if (message.mediaUrl) queryClient.setQueryData(mediaFile(message).queryKey, file)
}
