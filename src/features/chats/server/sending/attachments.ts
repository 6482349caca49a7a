import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ATTACHMENT_TYPES } from '#features/chats/contract.ts'
import { problem } from '#features/chats/problems.ts'
import { maxBytesOf } from '#features/chats/rules.ts'
import { uploadMedia } from '#features/whatsapp/server/cloud-api.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import type { AccountId } from '#lib/server/db.ts'
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

export async function readAttachment(file: UploadedFile): Promise<Attachment> {
	const bytes = await readFile(file.path)
	const type = typeByContent(bytes)
	const kind = KINDS[type.split('/')[0] ?? '']
	if (!kind || !(ATTACHMENT_TYPES as readonly string[]).includes(type)) throw problem('attachment_type_refused')
	const maxBytes = maxBytesOf(type)
	if (bytes.length > maxBytes) throw problem('attachment_too_large', { maxBytes })
	return { kind, type, name: fileNameOf(file.filename) || 'file', bytes }
}

export async function storeAttachment(
	storage: Storage,
	accountId: AccountId,
	{ type, name, bytes }: Attachment,
): Promise<{ type: string; name: string; key: string }> {
	const key = `${accountId}/chats/${randomUUID()}${endingOf(type)}`
	await storage.put(key, bytes)
	return { type, name, key }
}

/** Uploads the file to WhatsApp. Returns the part of the message that refers to it. */
export async function uploadAttachment(
	api: CloudApi,
	sender: Sender,
	{ attachment, caption }: { attachment: Attachment; caption: string },
): Promise<object> {
	const { kind, type, name, bytes } = attachment
	const content = new Blob([new Uint8Array(bytes)], { type })
	const id = await uploadMedia(api, sender.phoneNumberId, { token: sender.accessToken, content, filename: name })
	return { type: kind, [kind]: { id, ...(caption && { caption }), ...(kind === 'document' && { filename: name }) } }
}
