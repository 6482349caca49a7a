import { PAGE_SIZE } from '#lib/fields.ts'
import { transaction } from '#lib/server/db.ts'
import { pagesFor } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { notifications } from '../contract.ts'
import { findDevice, deleteDeviceOf, upsertDevice } from './device-queries.ts'
import { pushKeys, type PushContext } from './push.ts'
import * as queries from './queries.ts'
import { markRead } from './service.ts'

export function notificationRoutes(http: Http, { db, env }: PushContext): void {
	mount(http, notifications.list, async ({ query, session }) => {
		const [rows, count] = await Promise.all([
			queries.listNotifications(db, session.accountId, { page: query.page, limit: PAGE_SIZE }),
			queries.countNotifications(db, session.accountId),
		])
		return { notifications: rows.map(present), unread: count.unread, pages: pagesFor(count.total, PAGE_SIZE) }
	})

	mount(http, notifications.device, async ({ session }) => {
		const device = await findDevice(db, session.accountId, session)
		return { publicKey: pushKeys(env).publicKey, device: device ?? null }
	})

	mount(http, notifications.saveDevice, async ({ body, session }) => {
		await transaction(db, (sql) => upsertDevice(sql, session.accountId, { ...body, tokenHash: session.tokenHash }))
		return { message: 'This device shows notifications now' }
	})

	mount(http, notifications.removeDevice, async ({ session }) => {
		await deleteDeviceOf(db, session.accountId, session)
		return { message: 'This device shows no more notifications' }
	})

	mount(http, notifications.markRead, async ({ session }) => {
		await transaction(db, (sql) => markRead(sql, session.accountId))
		return { message: 'Notifications marked as read' }
	})
}

function present({ id, text, link, createdAt, readAt }: queries.Notification) {
	return { id, text, link, time: createdAt, unread: readAt === null }
}
