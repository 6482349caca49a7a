import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { problem } from '#features/replies/problems.ts'
import { ATTACHMENT_TYPES, maxBytesOf } from '#features/replies/rules.ts'
import { fileNameOf } from '#lib/server/files/file-name.ts'
import { typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf } from '#lib/server/files/mime-types.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import type { Storage } from '#lib/server/storage/storage.ts'

/** A checked attachment. */
export interface Attachment {
	kind: 'image' | 'video' | 'document'
	/** MIME type detected from the content. */
	type: string
	name: string
	bytes: Buffer
}

const KINDS: Record<string, Attachment['kind']> = { image: 'image', video: 'video', application: 'document' }

/** Reads a file that a reply may have. Throws a 400 for another type, and a 413 for one that is too large for WhatsApp. */
export async function readAttachment(file: UploadedFile): Promise<Attachment> {
	const bytes = await readFile(file.path)
	const type = typeByContent(bytes)
	const kind = KINDS[type.split('/')[0] ?? '']
	if (!kind || !(ATTACHMENT_TYPES as readonly string[]).includes(type)) throw problem('attachment_type_refused')
	const maxBytes = maxBytesOf(type)
	if (bytes.length > maxBytes) throw problem('attachment_too_large', { maxBytes })
	return { kind, type, name: fileNameOf(file.filename) || 'file', bytes }
}

/** Stores an attachment in a folder of the account, such as `12/chats`. Returns its type, name and storage key. */
export async function storeAttachment(
	storage: Storage,
	folder: string,
	{ type, name, bytes }: Attachment,
): Promise<{ type: string; name: string; key: string }> {
	const key = `${folder}/${randomUUID()}${endingOf(type)}`
	await storage.put(key, bytes)
	return { type, name, key }
}
