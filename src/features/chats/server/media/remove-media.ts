import type { AccountId } from '#lib/server/db.ts'
import { handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'

/**
 * Job that deletes the files of erased messages after the commit. Retries for about three days while the storage is
 * down.
 */
export const removeMediaJob = jobKind<{ accountId: AccountId; keys: string[] }>('remove-media', {
	maxAttempts: 80,
	maxDelaySeconds: 3600,
})

export const removeMediaHandler = ({ storage }: { storage: AccountStorage }) =>
	handlerOf(removeMediaJob, async ({ data: { keys } }) => {
		for (const key of keys) await storage.delete(key)
	})
