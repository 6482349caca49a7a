import type { Attachment } from '#features/replies/server/attachments.ts'
import { uploadMedia } from '#features/whatsapp/server/cloud-api.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'

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
