import { notFound } from '#lib/problems.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { TYPE_BYTES, typeByContent } from '#lib/server/files/file-type.ts'
import type { FileContent } from '#lib/server/http/http.ts'
import type { Storage } from '#lib/server/storage/storage.ts'
import type { ChatMessageRow } from '../history-queries.ts'

/** File extensions of the types that a browser shows without running code. */
const EXTENSIONS: Record<string, string> = {
	'image/jpeg': 'jpg',
	'image/png': 'png',
	'image/webp': 'webp',
	'image/gif': 'gif',
	'video/mp4': 'mp4',
	'video/3gpp': '3gp',
	'application/pdf': 'pdf',
	'audio/ogg': 'ogg',
	'audio/amr': 'amr',
	'audio/mpeg': 'mp3',
	'audio/aac': 'aac',
	'audio/mp4': 'm4a',
}

type MessageFile = Pick<ChatMessageRow, 'id' | 'mediaKey' | 'mediaName' | 'mediaState'>

/** Returns the file of a card of a message; `card` counts from 1. */
export function fileOfCard({ id, cardFiles }: ChatMessageRow, card: number): MessageFile {
	const key = cardFiles?.[card - 1] ?? null
	return { id, mediaKey: key, mediaName: key, mediaState: 'ready' }
}

/**
 * Returns a message's file or the requested range of it; throws a 404 for a file that is not stored. The type is
 * detected from the bytes, whatever type the sender declared.
 */
export async function readMessageFile(
	storage: Storage,
	message: MessageFile,
	range: string | undefined,
): Promise<FileContent> {
	const { mediaKey: key, mediaState, id } = message
	if (!key || mediaState !== 'ready') throw notFound('File')
	const bytes = await storage.size(key)
	const type = typeByContent(await headOf(storage, key, bytes))
	const isInline = Object.hasOwn(EXTENSIONS, type)
	const filename =
		(message.mediaName && nameInKey(message.mediaName)) ?? `file-${id}${isInline ? `.${EXTENSIONS[type]}` : ''}`
	const headers = {
		'x-content-type-options': 'nosniff',
		'content-security-policy': "default-src 'none'; sandbox",
		'cache-control': 'private, max-age=86400',
		'accept-ranges': 'bytes',
	}
	const part = readRange(range, bytes)
	if (!part) {
		const content = bytes === 0 ? Buffer.alloc(0) : storage.read(key, { start: 0, end: bytes - 1 })
		return { filename, type, isInline, headers: { ...headers, 'content-length': String(bytes) }, content }
	}
	return {
		filename,
		type,
		isInline,
		status: 206,
		headers: {
			...headers,
			'content-range': `bytes ${part.start}-${part.end}/${bytes}`,
			'content-length': String(part.end - part.start + 1),
		},
		content: storage.read(key, part),
	}
}

async function headOf(storage: Storage, key: string, bytes: number): Promise<Buffer> {
	if (bytes === 0) return Buffer.alloc(0)
	const chunks: Buffer[] = []
	for await (const chunk of storage.read(key, { start: 0, end: Math.min(bytes, TYPE_BYTES) - 1 }))
		chunks.push(Buffer.from(chunk))
	return Buffer.concat(chunks)
}

/** Returns a single byte range; null without one or for an invalid one, for which the whole file is sent. */
function readRange(range: string | undefined, bytes: number): { start: number; end: number } | null {
	const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
	if (first === '' && last === '') return null
	const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
	const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
	return start <= end ? { start, end } : null
}
