import { queryOptions } from '@tanstack/react-query'
import { chats, type ChatMessage } from '#features/chats/contract.ts'
import { call } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'

const KEPT_MS = 10 * 60_000

/** The id at the end of `/api/chats/media/{id}`. */
function mediaId(mediaUrl: string | null): string {
	return /([^/?]+)(?:\?.*)?$/.exec(mediaUrl ?? '')?.[1] ?? ''
}

/** A message's file. It is fetched with the token, as an address in an `img` would come without one. */
export function mediaFile({ mediaUrl }: Pick<ChatMessage, 'mediaUrl'>) {
	const id = mediaId(mediaUrl)
	return queryOptions({
		queryKey: ['chat-media', id],
		queryFn: ({ signal }) => call(chats.media, { params: { id }, signal }),
		staleTime: Infinity,
		gcTime: KEPT_MS,
		structuralSharing: false,
		retry: false,
	})
}

/** What this browser has just sent need not be fetched back. */
export function keepMedia(message: ChatMessage, file: File): void {
	if (message.mediaUrl) queryClient.setQueryData(mediaFile(message).queryKey, file)
}
