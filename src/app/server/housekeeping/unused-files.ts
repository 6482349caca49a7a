import { listUsedFiles } from '#features/chats/server/retention-queries.ts'
import { DAY_MS } from '#lib/durations.ts'
import { forEachAccount, listAccountsAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import type { StoredFile } from '#lib/server/storage/storage.ts'

/**
 * Minimum age in milliseconds of a deleted file. Files are written before their rows, and a restored database may be
 * restored again to a later moment.
 */
const UNUSED_FILE_AGE_MS = 7 * DAY_MS
const FILES_AT_ONCE = 1000

/**
 * Deletes files that no chat, saved reply, template, campaign or set of header files refers to, and frees their bytes. Recounts
 * the bytes of accounts, of which a killed process may have reserved some for a file that it did not finish.
 */
export async function deleteUnusedFiles(context: SweepContext & { storage: AccountStorage }): Promise<void> {
	const { db, storage, log, signal } = context
	const accounts = await listAccountsAllAccounts(db)
	const files = await forEachAccount(context, accounts, async (accountId) => {
		let deleted = 0
		let bytes = 0
		const sum = (file: StoredFile) => void (bytes += file.bytes)
		for await (const keys of pagesOf(storage.list(String(accountId)), sum)) {
			const used = new Set((await listUsedFiles(db, accountId, keys)).map(({ key }) => key))
			for (const key of keys.filter((each) => !used.has(each))) {
				if (signal?.aborted) return deleted
				await storage.delete(key)
				deleted++
			}
		}
		await storage.recount(accountId, bytes)
		return deleted
	})
	if (files > 0) log.info({ files }, 'files that nothing refers to were deleted')
}

/** Yields the keys of files older than UNUSED_FILE_AGE_MS, in batches. Calls `each` for every file. */
async function* pagesOf(files: AsyncIterable<StoredFile>, each: (file: StoredFile) => void): AsyncGenerator<string[]> {
	const newest = Date.now() - UNUSED_FILE_AGE_MS
	let page: string[] = []
	for await (const file of files) {
		each(file)
		if (file.changedAt.getTime() > newest) continue
		page.push(file.key)
		if (page.length < FILES_AT_ONCE) continue
		yield page
		page = []
	}
	if (page.length > 0) yield page
}
