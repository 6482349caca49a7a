import { uploadMedia } from '#features/whatsapp/server/cloud-api.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Sender } from '#features/whatsapp/server/service.ts'
import { nameInKey } from '#lib/server/files/file-name.ts'
import { mimeTypeOf } from '#lib/server/files/mime-types.ts'
import type { Storage } from '#lib/server/storage/storage.ts'

/**
 * Uploads a stored file to Meta for sending, under `name` or the name in its key, and returns Meta's id. Throws the problem `file_not_found` when the storage
 * has lost the file.
 */
export async function uploadHeaderFile(
	{ cloudApi, storage }: { cloudApi: CloudApi; storage: Storage },
	{ phoneNumberId, accessToken: token }: Pick<Sender, 'phoneNumberId' | 'accessToken'>,
	{ key, name = nameInKey(key) || 'file' }: { key: string; name?: string },
): Promise<string> {
	const content = new Blob([new Uint8Array(await storage.get(key))], { type: mimeTypeOf(key) })
	return uploadMedia(cloudApi, phoneNumberId, { token, content, filename: name })
}
