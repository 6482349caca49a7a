import { Box } from '@mantine/core'
import type { ChatMessage } from '#features/chats/contract.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { MediaDocument } from './media-document.tsx'
import type { MediaProps } from './media-file.ts'
import { MediaImage } from './media-image.tsx'
import { MediaPlayer } from './media-player.tsx'

/** Milliseconds after which a file counts as late: files usually arrive within seconds. */
const LATE_MS = 10 * 60 * 1000
const KINDS = ['image', 'sticker', 'video', 'audio'] as const
const NAMES: Record<string, string> = {
	image: 'photo',
	sticker: 'sticker',
	video: 'video',
	audio: 'audio message',
	document: 'document',
}

/** Renders a message's file. Its space is reserved before it loads, so that the history does not jump. */
export function MediaContent({ message, file }: MediaProps) {
	const now = useNow(message.mediaState === 'fetching')
	const kind = mediaKind(message)
	const name = NAMES[kind] ?? 'file'
	if (message.mediaState === 'unavailable')
		return (
			<Box component="p" className="quiet well" py={8} px={10}>
				This {name} is no longer available in WhatsApp.
			</Box>
		)
	if (message.mediaState === 'fetching')
		return (
			<Box component="p" className="quiet well" py={8} px={10} role="status">
				{now - Date.parse(message.timestamp) > LATE_MS
					? `This ${name} has not come from WhatsApp yet. Open it on a phone.`
					: `Receiving the ${name}…`}
			</Box>
		)
	if (kind === 'image' || kind === 'sticker')
		return <MediaImage message={message} file={file} isSticker={kind === 'sticker'} />
	if (kind === 'video' || kind === 'audio') return <MediaPlayer message={message} file={file} kind={kind} />
	return <MediaDocument message={message} file={file} />
}

/** Returns the kind of component: the message's kind, or the kind of the MIME type for a template's header. */
function mediaKind({ kind, mediaType }: ChatMessage): string {
	const known = KINDS.find((one) => one === kind)
	if (known || kind === 'document') return known ?? kind
	const [type = ''] = (mediaType ?? '').split('/')
	return KINDS.find((one) => one === type.toLowerCase()) ?? 'document'
}

export function hasMedia({ mediaUrl, mediaState, mediaName }: ChatMessage): boolean {
	return mediaUrl !== null || mediaState !== null || mediaName !== null
}
