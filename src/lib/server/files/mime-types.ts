import { extname } from 'node:path'

/** MIME types of the files that WhatsApp carries and `typeByContent` detects, by extension; the first of several is written. */
const BY_EXTENSION: Record<string, string> = {
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.png': 'image/png',
	'.mp4': 'video/mp4',
	'.3gp': 'video/3gpp',
	'.pdf': 'application/pdf',
	'.webp': 'image/webp',
	'.gif': 'image/gif',
	'.aac': 'audio/aac',
	'.amr': 'audio/amr',
	'.mp3': 'audio/mpeg',
	'.m4a': 'audio/mp4',
	'.ogg': 'audio/ogg',
}

/** Returns a file's MIME type by its extension, which stored files have in lower case. */
export function mimeTypeOf(filename: string): string {
	return BY_EXTENSION[extname(filename)] ?? 'application/octet-stream'
}

/** Returns the ending under which a file of this MIME type is stored, such as `.jpg`; empty for a type without one. */
export function endingOf(type: string): string {
	return Object.keys(BY_EXTENSION).find((ending) => BY_EXTENSION[ending] === type) ?? ''
}
