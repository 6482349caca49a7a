import { randomUUID } from 'node:crypto'
import { notices, notifyOnce } from '#features/notifications/server/service.ts'
import { downloadMedia, getMediaAddress, MediaTooLarge } from '#features/whatsapp/server/cloud-api-media.ts'
import { getSender, GraphError, type CloudApi } from '#features/whatsapp/server/service.ts'
import { StorageFull, type AccountStorage } from '#lib/server/account-storage.ts'
import { scanAllOwners } from '#lib/server/all-owners.ts'
import { announceLive } from '#lib/server/channels.ts'
import type { Db, OwnerId } from '#lib/server/db.ts'
import { TYPE_BYTES, typeByContent } from '#lib/server/file-type.ts'
import type { Log } from '#lib/server/log.ts'
import type { Vault } from '#lib/server/secrets.ts'
import { Share, type EndTurn } from '#lib/server/share.ts'
import * as queries from './media-queries.ts'
import type { DueMedia } from './media-queries.ts'

export interface FetcherDeps {
	db: Db
	vault: Vault
	cloudApi: CloudApi
	storage: AccountStorage
	log: Log
}

const MAX_BYTES = 100 * 1024 * 1024
/** Longer than a download may take. */
const LEASE_SECONDS = 300
const FIRST_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 3600
/** At once in this process, and for one account. */
const LIMITS = { each: 3, total: 8 }

/** Fetches the files that customers sent. The queue is in the database, so that a crash loses no file. */
export class MediaFetcher {
	readonly #deps: FetcherDeps
	readonly #onFree: () => void
	readonly #running = new Set<Promise<void>>()
	readonly #share = new Share(LIMITS)
	readonly #stopping = new AbortController()

	/** `onFree` is called when another file may be begun. */
	constructor(deps: FetcherDeps, onFree: () => void) {
		this.#deps = deps
		this.#onFree = onFree
	}

	/** Begins as many of the files that are due as may run at once. */
	async begin(): Promise<void> {
		const { db } = this.#deps
		for (const { owner } of await scanAllOwners(db, (only) => queries.listDueAllOwners(db, only))) {
			while (await this.#beginOne(owner));
		}
	}

	/** Breaks off what runs: it is begun again by whoever is next. */
	async stop(): Promise<void> {
		this.#stopping.abort()
		await Promise.all(this.#running)
	}

	/** Whether another of the account may be begun. */
	async #beginOne(owner: OwnerId): Promise<boolean> {
		const end = this.#share.tryBegin(owner)
		if (!end) return false
		let media: DueMedia | undefined
		try {
			media = await queries.claimMedia(this.#deps.db, owner, LEASE_SECONDS)
		} finally {
			if (!media) end()
		}
		if (media) this.#run(owner, media, end)
		return media !== undefined
	}

	#run(owner: OwnerId, media: DueMedia, end: EndTurn): void {
		const running = fetchMedia({ ...this.#deps, signal: this.#stopping.signal }, owner, media)
			.catch((error: unknown) => this.#deps.log.error({ error, owner, id: media.id }, 'a file could not be noted'))
			.finally(() => {
				this.#running.delete(running)
				end()
				this.#onFree()
			})
		this.#running.add(running)
	}
}

interface FetchDeps extends FetcherDeps {
	signal: AbortSignal
}

async function fetchMedia(deps: FetchDeps, owner: OwnerId, media: DueMedia): Promise<void> {
	const { db, log } = deps
	const { id, chat, attempts } = media
	try {
		const { key, type } = await download(deps, owner, media)
		await queries.updateFetched(db, owner, { id, key, type })
	} catch (error) {
		if (media.isExpired || error instanceof MediaTooLarge) await queries.updateUnavailable(db, owner, id)
		else if (error instanceof StorageFull) {
			await notifyOnce(db, owner, notices.storageFull())
			await queries.updatePostponed(db, owner, { id, seconds: MAX_RETRY_SECONDS })
		} else {
			const seconds = Math.min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(attempts - 1, 20))
			await queries.updatePostponed(db, owner, { id, seconds })
		}
		log.warn({ error, owner, id, attempts }, 'a file of a chat could not be fetched')
	}
	announceLive(db, owner, { kind: 'chat', id: chat })
}

async function download(
	{ db, vault, cloudApi, storage, signal }: FetchDeps,
	owner: OwnerId,
	{ mediaId, mediaType }: DueMedia,
): Promise<{ key: string; type: string | null }> {
	await storage.requireRoom(owner, 1)
	const sender = await getSender(db, vault, owner)
	if (!sender) throw new Error('the account has no credentials')
	const { phoneNumberId, accessToken: token } = sender
	const open = async () => {
		const { url } = await getMediaAddress(cloudApi, { mediaId, phoneNumberId, token })
		return downloadMedia(cloudApi, { url, token, maxBytes: MAX_BYTES, signal })
	}
	// The address lives for five minutes: where it is gone already, it is asked for once more.
	const content = await open().catch((error: unknown) => {
		if (error instanceof GraphError && error.status === 404) return open()
		throw error
	})
	const key = `${owner}/chats/${randomUUID()}`
	const head: Uint8Array[] = []
	await storage.put(key, keepingHead(content, head))
	const type = typeByContent(Buffer.concat(head))
	// What has no type that can be checked, such as a spreadsheet, keeps the name of its own; it is never shown in the page.
	return { key, type: type === 'application/octet-stream' ? mediaType : type }
}

async function* keepingHead(content: AsyncIterable<Uint8Array>, head: Uint8Array[]): AsyncGenerator<Uint8Array> {
	for await (const chunk of content) {
		if (head.reduce((sum, part) => sum + part.length, 0) < TYPE_BYTES) head.push(chunk)
		yield chunk
	}
}
