import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import type { NewNotification } from '#lib/server/db/channels/notify.ts'
import { queuePushes } from './push.ts'
import * as queries from './queries.ts'

/** Adds a notification. When the caller's transaction commits, updates the account's open browsers and queues its pushes. */
export async function notify(sql: Sql, accountId: AccountId, notification: NewNotification): Promise<void> {
	const id = await queries.insertNotification(sql, accountId, notification)
	if (notification.isPushed) await queuePushes(sql, accountId, id)
	announceLive(sql, accountId, { kind: 'notification' })
}

/** Adds a notification unless the account has had one with this text within the last day. */
export async function notifyOnce(sql: Sql, accountId: AccountId, notification: NewNotification): Promise<void> {
	if (!(await queries.isRecent(sql, accountId, notification))) await notify(sql, accountId, notification)
}

export async function markRead(sql: Sql, accountId: AccountId): Promise<void> {
	await queries.updateRead(sql, accountId)
	// Updates the badge in the user's other windows.
	announceLive(sql, accountId, { kind: 'notification' })
}
