import { listUsedFiles } from '#features/chats/server/retention-queries.ts'
import { forEachAccount, listAccountsAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import type { StoredFile } from '#lib/server/storage/storage.ts'

/**
 * Files are written before the row that names them, and a database that was restored may be restored again to a later moment,
 * so that what nothing names is left alone for a while.
 */
const UNUSED_FILE_AGE_MS = 7 * 24 * 60 * 60_000
const FILES_AT_ONCE = 1000

/** Deletes files that no chat, template or campaign refers to, and gives their room back. */
export async function deleteUnusedFiles(context: SweepContext & { storage: AccountStorage }): Promise<void> {
	const { db, storage, log, signal } = context
	const accounts = await listAccountsAllAccounts(db)
	const files = await forEachAccount(context, accounts, async (accountId) => {
		let deleted = 0
		for await (const keys of pagesOf(storage.list(String(accountId)))) {
			const used = new Set((await listUsedFiles(db, accountId, keys)).map(({ key }) => key))
			for (const key of keys.filter((each) => !used.has(each))) {
				if (signal?.aborted) return deleted
				await storage.delete(key)
				deleted++
			}
		}
		return deleted
	})
	if (files > 0) log.info({ files }, 'files that nothing refers to were deleted')
}

/** The keys of files that are old enough, so many at a time. */
async function* pagesOf(files: AsyncIterable<StoredFile>): AsyncGenerator<string[]> {
	const newest = Date.now() - UNUSED_FILE_AGE_MS
	let page: string[] = []
	for await (const { key, changedAt } of files) {
		if (changedAt.getTime() > newest) continue
		page.push(key)
		if (page.length < FILES_AT_ONCE) continue
		yield page
		page = []
	}
	if (page.length > 0) yield page
}
