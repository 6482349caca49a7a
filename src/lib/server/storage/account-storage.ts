import { formatCount } from '#lib/numbers.ts'
import type { Db } from '../db.ts'
import { AppError } from '../errors.ts'
import { FileNotFound, type Storage } from './storage.ts'

/** Files of accounts, none of which keeps more than it may. A `put` that would is a `StorageFull` and keeps nothing. */
export interface AccountStorage extends Storage {
	/** Throws `StorageFull` unless the account has room for so many bytes; for work that would be in vain without. */
	requireRoom(accountId: number, bytes: number): Promise<void>
}

const BYTES_PER_MEGABYTE = 1024 * 1024
/** A stream takes room by this much while it is written, and gives back what it has not used. */
const CHUNK_BYTES = BYTES_PER_MEGABYTE

export class StorageFull extends AppError {
	constructor(maxMegabytes: number) {
		super(
			413,
			`There is no room for this file: your account may keep ${formatCount(maxMegabytes)} MB of files in all. ` +
				'Use a smaller file, or ask your administrator for more storage.',
		)
	}
}

/**
 * Room is taken in one statement before a byte is written, so that no number of uploads at once goes beyond the limit. A
 * process that crashes while it writes leaves the room of that file taken.
 */
export function limitStorage(storage: Storage, db: Db, maxMegabytes: number): AccountStorage {
	const maxBytes = maxMegabytes * BYTES_PER_MEGABYTE
	const take = async (accountId: number, bytes: number) => {
		if (bytes > maxBytes || !(await addBytes(db, accountId, { bytes, maxBytes }))) throw new StorageFull(maxMegabytes)
	}
	return {
		...storage,
		async requireRoom(accountId, bytes) {
			if ((await findBytes(db, accountId)) + bytes > maxBytes) throw new StorageFull(maxMegabytes)
		},
		async put(key, content) {
			const accountId = accountOf(key)
			let taken = 0
			let written = 0
			const takeMore = async (bytes: number) => {
				await take(accountId, bytes)
				taken += bytes
			}
			async function* measured(chunks: AsyncIterable<Uint8Array>) {
				for await (const chunk of chunks) {
					written += chunk.length
					if (written > taken) await takeMore(Math.max(CHUNK_BYTES, written - taken))
					yield chunk
				}
			}
			try {
				if (content instanceof Uint8Array) {
					await takeMore(content.length)
					await storage.put(key, content)
					written = content.length
				} else await storage.put(key, measured(content))
			} catch (error) {
				written = 0
				throw error
			} finally {
				if (taken > written) await addBytes(db, accountId, { bytes: written - taken, maxBytes })
			}
		},
		async delete(key) {
			const bytes = await storage.size(key).catch((error: unknown) => {
				if (error instanceof FileNotFound) return null
				throw error
			})
			if (bytes === null) return
			await storage.delete(key)
			await addBytes(db, accountOf(key), { bytes: -bytes, maxBytes })
		},
	}
}

function accountOf(key: string): number {
	const accountId = Number(key.split('/')[0])
	if (!Number.isSafeInteger(accountId)) throw new Error(`"${key}" does not begin with an account`)
	return accountId
}

async function findBytes(db: Db, accountId: number): Promise<number> {
	const [row] = await db<{ bytes: number }[]>`select bytes from account_storage where account_id = ${accountId}`
	return row?.bytes ?? 0
}

/** False, and nothing is added, when the account would then have more than it may. Fewer bytes are always taken. */
async function addBytes(
	db: Db,
	accountId: number,
	{ bytes, maxBytes }: { bytes: number; maxBytes: number },
): Promise<boolean> {
	const rows = await db`
		insert into account_storage as s (account_id, bytes)
		values (${accountId}, ${bytes})
		on conflict (account_id) do update set bytes = greatest(0, s.bytes + excluded.bytes)
			where excluded.bytes < 0 or s.bytes + excluded.bytes <= ${maxBytes}::bigint
		returning 1
	`
	return rows.length > 0
}
