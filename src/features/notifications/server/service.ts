import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import type { NewNotification } from '#lib/server/db/notify.ts'
import { queuePushes } from './push.ts'
import * as queries from './queries.ts'

/** Adds a notification and tells the account's open browsers and switched-on devices, when the caller's transaction commits. */
export async function notify(sql: Sql, accountId: AccountId, notification: NewNotification): Promise<void> {
	const id = await queries.insertNotification(sql, accountId, notification)
	if (notification.isPushed) await queuePushes(sql, accountId, id)
	announceLive(sql, accountId, { kind: 'notification' })
}

/** For what may be told several times: the same words come once a day at most. */
export async function notifyOnce(sql: Sql, accountId: AccountId, notification: NewNotification): Promise<void> {
	if (!(await queries.isRecent(sql, accountId, notification))) await notify(sql, accountId, notification)
}

export async function markRead(sql: Sql, accountId: AccountId): Promise<void> {
	await queries.updateRead(sql, accountId)
	// The same person's other windows drop their badge too.
	announceLive(sql, accountId, { kind: 'notification' })
}
