import { deleteMedia } from '#features/whatsapp/server/cloud-api-media.ts'
import { GraphError, type CloudApi } from '#features/whatsapp/server/graph-client.ts'
import { getSender } from '#features/whatsapp/server/service.ts'
import { forEachAccount, scanAllAccounts, type SweepContext } from '#lib/server/db/all-accounts.ts'
import type { Vault } from '#lib/server/secrets.ts'
import * as queries from './upload-queries.ts'

/** Files that are deleted at Meta per account and run. */
const MAX_FILES = 500

/**
 * Deletes files at Meta once all messages with them have a final status, because they contain personal data. Returns how
 * many. A file is retired first, so that no message names it meanwhile. Without credentials, Meta deletes it itself after 30
 * days.
 */
export async function deleteUnneeded(context: SweepContext & { cloudApi: CloudApi; vault: Vault }): Promise<number> {
	const { db, vault, cloudApi, signal } = context
	const accounts = await scanAllAccounts(db, (only) => queries.listWithMediaAllAccounts(db, only))
	return forEachAccount(context, accounts, async ({ accountId }) => {
		const sender = await getSender(db, vault, accountId)
		let deleted = 0
		await queries.retireUnneeded(db, accountId, MAX_FILES)
		for (const media of await queries.listRetired(db, accountId, MAX_FILES)) {
			if (signal?.aborted) break
			if (!media.isGone && sender) {
				const given = { mediaId: media.mediaId, phoneNumberId: media.phoneNumberId, token: sender.accessToken }
				const error: unknown = await deleteMedia(cloudApi, given).then(
					() => null,
					(thrown: unknown) => thrown,
				)
				// A refusal is final: the file is gone already, or belongs to an earlier number.
				if (error !== null && !(error instanceof GraphError && error.status < 500)) break
			}
			await queries.deleteMediaRow(db, accountId, media)
			deleted++
		}
		return deleted
	})
}
