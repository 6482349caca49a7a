import { randomUUID } from 'node:crypto'
import { notificationOf } from '#features/notifications/server/kinds.ts'
import { notifyOnce } from '#features/notifications/server/service.ts'
import { downloadMedia, getMediaAddress, MediaTooLarge } from '#features/whatsapp/server/cloud-api-media.ts'
import { GraphError, type CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { getSender } from '#features/whatsapp/server/service.ts'
import { isProblem } from '#lib/app-error.ts'
import type { Db, AccountId } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { TYPE_BYTES, typeByContent } from '#lib/server/files/file-type.ts'
import { endingOf } from '#lib/server/files/mime-types.ts'
import { handlerOf, jobKind, Postponed } from '#lib/server/jobs/jobs.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { type AccountStorage } from '#lib/server/storage/account-storage.ts'
import * as queries from './media-queries.ts'
import type { UnfetchedMedia } from './media-queries.ts'

export interface FetchDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: AccountStorage
	log: Log
}

const MAX_BYTES = 100 * 1024 * 1024
const FULL_RETRY_SECONDS = 3600

/**
 * Job that fetches a customer's file. Its attempts last longer than the seven days for which WhatsApp retains files.
 */
export const fetchMediaJob = jobKind<{ accountId: AccountId; id: number }>('fetch-media', {
	maxAttempts: 300,
	maxDelaySeconds: 3600,
	total: 8,
	each: 3,
})

/** Returns the handler that fetches the file of a chat message into the storage. */
export const mediaHandler = (deps: FetchDeps) =>
	handlerOf(fetchMediaJob, async ({ data: { accountId, id }, signal }) => {
		const media = await queries.findUnfetched(deps.db, accountId, id)
		if (!media) return
		try {
			const { key, type } = await download(deps, accountId, { ...media, signal })
			if (!(await queries.updateFetched(deps.db, accountId, { id, key, type }))) await deps.storage.delete(key)
		} catch (error) {
			if (!media.isExpired && !(error instanceof MediaTooLarge)) {
				if (!isProblem(error, 'storage_full')) throw error
				await notifyOnce(deps.db, accountId, notificationOf.storageFull())
				throw new Postponed(FULL_RETRY_SECONDS, { cause: error })
			}
			deps.log.warn({ error, accountId, id }, 'a file of a chat is not to be had')
			await queries.updateUnavailable(deps.db, accountId, id)
		}
		announceLive(deps.db, accountId, { kind: 'chat', id: media.chat })
	})

async function download(
	{ db, vault, cloudApi, storage }: FetchDeps,
	accountId: AccountId,
	{ mediaId, mediaType, signal }: UnfetchedMedia & { signal: AbortSignal },
): Promise<{ key: string; type: string | null }> {
	await storage.requireRoom(accountId, 1)
	const sender = await getSender(db, vault, accountId)
	if (!sender) throw new Error('the account has no credentials')
	const { phoneNumberId, accessToken: token } = sender
	const open = async () => {
		const url = await getMediaAddress(cloudApi, { mediaId, phoneNumberId, token })
		return downloadMedia(cloudApi, { url, token, maxBytes: MAX_BYTES, signal })
	}
	// The URL is valid for five minutes. An expired one is requested once more.
	const content = await open().catch((error: unknown) => {
		if (error instanceof GraphError && error.status === 404) return open()
		throw error
	})
	const { head, whole } = await readHead(content)
	const type = typeByContent(head)
	const key = `${accountId}/chats/${randomUUID()}${endingOf(type)}`
	await storage.put(key, whole)
	// A file whose type cannot be verified, such as a spreadsheet, keeps its declared type and is never shown inline.
	return { key, type: type === 'application/octet-stream' ? mediaType : type }
}

/** Returns the first bytes of a stream, from which the type is detected, and the whole stream. */
async function readHead(
	content: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; whole: AsyncIterable<Uint8Array> }> {
	const rest = content[Symbol.asyncIterator]()
	const chunks: Uint8Array[] = []
	let bytes = 0
	while (bytes < TYPE_BYTES) {
		const next = (await rest.next()) as IteratorResult<Uint8Array, undefined>
		if (next.done) break
		chunks.push(next.value)
		bytes += next.value.length
	}
	async function* whole() {
		yield* chunks
		yield* { [Symbol.asyncIterator]: () => rest }
	}
	return { head: Buffer.concat(chunks), whole: whole() }
}
