import { readFile } from 'node:fs/promises'
import { storeMessageFile, type FileContext, type MessageContent } from '#features/header-files/server/service.ts'
import { mediaPlacesOf } from '#features/templates/values.ts'
import { isProblem } from '#lib/app-error.ts'
import type { AccountId } from '#lib/server/db.ts'
import type { UploadedFile } from '#lib/server/http/body/uploads.ts'
import { faultAt, invalid } from '../faults.ts'
import { readTemplate, type TemplateRef } from './check-order.ts'

/** The file of a message: uploaded with its request, or named by its address. */
type GivenFile = { name: string; content: Buffer } | { address: string }

/** A file that is stored before its message is ordered. */
export interface StoredBefore {
	ref: TemplateRef
	file: GivenFile
	signal: AbortSignal
}

/** Returns the uploaded file of a request. Throws a 422 without one. */
export async function uploadedFile(upload: UploadedFile | undefined): Promise<{ name: string; content: Buffer }> {
	if (!upload) throw invalid([faultAt(['file'], 'Send the file in this part')])
	return { name: upload.filename, content: await readFile(upload.path) }
}

/** Stores the file of a message. Throws a 422 when the template's header takes no file, or not this one. */
export async function storeFile(
	context: FileContext,
	accountId: AccountId,
	{ ref, file, signal }: StoredBefore,
): Promise<MessageContent> {
	const { components } = await readTemplate(context.db, accountId, ref)
	const place = mediaPlacesOf(components).find(({ card }) => card === null)
	if (!place) throw invalid([faultAt(['file'], 'The header of this template has no document, image or video')])
	try {
		return await storeMessageFile(context, accountId, { kind: place.kind, file, signal })
	} catch (error) {
		if (isProblem(error, 'person_file_refused')) throw invalid([faultAt(['file'], error.message)])
		throw error
	}
}
