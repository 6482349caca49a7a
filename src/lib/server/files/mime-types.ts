import { extname } from 'node:path'

/** Types of the files that WhatsApp carries and that are recognised by their content; of two endings the first is written. */
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

/** A file's MIME type by its extension, in lower case as files are stored. */
export function mimeTypeOf(filename: string): string {
	return BY_EXTENSION[extname(filename)] ?? 'application/octet-stream'
}

/** Returns the ending under which a file of this MIME type is stored, such as `.jpg`; empty for a type without one. */
export function endingOf(type: string): string {
	return Object.keys(BY_EXTENSION).find((ending) => BY_EXTENSION[ending] === type) ?? ''
}
