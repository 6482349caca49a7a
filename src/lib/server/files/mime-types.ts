import { extname } from 'node:path'

/** Of the files that WhatsApp takes as a template's header. */
const BY_EXTENSION: Record<string, string> = {
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.png': 'image/png',
	'.mp4': 'video/mp4',
	'.3gp': 'video/3gpp',
	'.pdf': 'application/pdf',
}

/** A file's MIME type by its extension, in lower case as files are stored. */
export function mimeTypeOf(filename: string): string {
	return BY_EXTENSION[extname(filename)] ?? 'application/octet-stream'
}
