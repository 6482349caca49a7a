import { isProblem } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import type { Db } from '../db.ts'
import type { Storage } from './storage.ts'

/**
 * Stores files with a limit per account. A `put` above the limit throws `storage_full` and stores nothing. A file that replaces
 * another one takes only the room that it needs beyond it.
 */
export interface AccountStorage extends Storage {
	/** Throws `storage_full` unless the account has room for `bytes`. Call before work that needs them. */
	requireRoom(accountId: number, bytes: number): Promise<void>
	/**
	 * Corrects the used bytes of an account to those of all its files, which the caller has listed. Changes nothing if a file was
	 * written or deleted in the last hour.
	 */
	recount(accountId: number, bytes: number): Promise<void>
}

const BYTES_PER_MEGABYTE = 1024 * 1024
/** Bytes that a stream reserves at a time while it is written; unused bytes are returned. */
const CHUNK_BYTES = BYTES_PER_MEGABYTE

/**
 * Limits each account's files. Reserves bytes in one statement before writing, so that concurrent uploads cannot exceed
 * the limit. A process that crashes while writing leaves that file's bytes reserved until the next recount.
 */
export function limitStorage(storage: Storage, db: Db, maxMegabytes: number): AccountStorage {
	const maxBytes = maxMegabytes * BYTES_PER_MEGABYTE
	const take = async (accountId: number, bytes: number) => {
		if (bytes > maxBytes || !(await addBytes(db, accountId, { bytes, maxBytes })))
			throw problem('storage_full', { maxMegabytes })
	}
	return {
		...storage,
		async requireRoom(accountId, bytes) {
			if ((await findBytes(db, accountId)) + bytes > maxBytes) throw problem('storage_full', { maxMegabytes })
		},
		async recount(accountId, bytes) {
			await db`
				update account_storage set bytes = ${bytes}
				where account_id = ${accountId} and bytes <> ${bytes}
					and (changed_at is null or changed_at < now() - interval '1 hour')
			`
		},
		async put(key, content) {
			const accountId = accountOf(key)
			// A file that fails to replace another one leaves it as it was.
			const replaced = (await sizeOf(storage, key)) ?? 0
			let taken = replaced
			let written = 0
			const takeUpTo = async (bytes: number) => {
				if (bytes <= taken) return
				await take(accountId, bytes - taken)
				taken = bytes
			}
			async function* measured(chunks: AsyncIterable<Uint8Array>) {
				for await (const chunk of chunks) {
					written += chunk.length
					if (written > taken) await takeUpTo(Math.max(taken + CHUNK_BYTES, written))
					yield chunk
				}
			}
			try {
				if (content instanceof Uint8Array) {
					await takeUpTo(content.length)
					await storage.put(key, content)
					written = content.length
				} else await storage.put(key, measured(content))
			} catch (error) {
				written = replaced
				throw error
			} finally {
				if (taken > written) await addBytes(db, accountId, { bytes: written - taken, maxBytes })
			}
		},
		async delete(key) {
			const bytes = await sizeOf(storage, key)
			if (bytes === null) return
			await storage.delete(key)
			await addBytes(db, accountOf(key), { bytes: -bytes, maxBytes })
		},
	}
}

/** Returns the size of a file in bytes; null for a missing one. */
async function sizeOf(storage: Storage, key: string): Promise<number | null> {
	return storage.size(key).catch((error: unknown) => {
		if (isProblem(error, 'file_not_found')) return null
		throw error
	})
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

/**
 * Adds to the account's used bytes; returns false and adds nothing above the limit. Negative numbers always succeed.
 */
async function addBytes(
	db: Db,
	accountId: number,
	{ bytes, maxBytes }: { bytes: number; maxBytes: number },
): Promise<boolean> {
	const rows = await db`
		insert into account_storage as s (account_id, bytes, changed_at)
		values (${accountId}, ${bytes}, now())
		on conflict (account_id) do update
			set bytes = greatest(0, s.bytes + excluded.bytes), changed_at = excluded.changed_at
			where excluded.bytes < 0 or s.bytes + excluded.bytes <= ${maxBytes}::bigint
		returning 1
	`
	return rows.length > 0
}
