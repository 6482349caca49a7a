import { after, afterEach } from 'node:test'
import { startIngest, type WebhookHandlers } from '#features/whatsapp/server/webhooks/ingest.ts'
import type { AccountId } from '#lib/server/db.ts'
import { createListener } from '#lib/server/db/channels/listener.ts'
import { createLog } from '#lib/server/log.ts'
import { createTestDatabase } from '../database.ts'

/**
 * Creates a database for a test file of inbound webhooks. `start` runs a process that handles them, which stops at the end
 * of its test, even if the test fails.
 */
export async function launchIngest() {
	const log = createLog('silent')
	const database = await createTestDatabase()
	const db = database.sql
	const listener = createListener(database.directUrl, log)
	const started: Awaited<ReturnType<typeof startIngest>>[] = []
	afterEach(() => Promise.all(started.splice(0).map((ingest) => ingest.stop())))
	after(async () => {
		await listener.close()
		await database.drop()
	})
	return {
		database,
		async start(handlers: WebhookHandlers, on = db): Promise<{ stop(): Promise<void> }> {
			const ingest = await startIngest({ db: on, listener, log, handlers })
			started.push(ingest)
			return ingest
		},
		/** Stores inbound webhooks without notifying the processes. */
		async deliver(accountId: AccountId, ...bodies: string[]): Promise<void> {
			await db`
				insert into webhook_deliveries (account_id, body) select ${accountId}, b from unnest(${bodies}::text[]) as n (b)
			`
		},
		/** Returns an account's stored inbound webhooks. `reason` is null while one waits, and set for a dead letter. */
		async waitingOf(accountId: AccountId): Promise<{ body: string; reason: string | null }[]> {
			const rows = await db<{ body: string; reason: string | null }[]>`
				select body, kept_because as reason from webhook_deliveries where account_id = ${accountId} order by id
			`
			return [...rows]
		},
	}
}
