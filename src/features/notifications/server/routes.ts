import { PAGE_SIZE } from '#lib/fields.ts'
import { transaction, type Db } from '#lib/server/db.ts'
import { mount, type Http } from '#lib/server/http.ts'
import { pagesFor } from '#lib/server/paging.ts'
import { notifications } from '../contract.ts'
import * as queries from './queries.ts'
import { markRead } from './service.ts'

export function notificationRoutes(http: Http, { db }: { db: Db }): void {
	mount(http, notifications.list, async ({ query, session }) => {
		const [rows, count] = await Promise.all([
			queries.listNotifications(db, session.ownerId, { page: query.page, limit: PAGE_SIZE }),
			queries.countNotifications(db, session.ownerId),
		])
		return { notifications: rows.map(present), unread: count.unread, pages: pagesFor(count.total, PAGE_SIZE) }
	})

	mount(http, notifications.markRead, async ({ session }) => {
		await transaction(db, (sql) => markRead(sql, session.ownerId))
		return { message: 'Notifications marked as read' }
	})
}

function present({ id, text, link, createdAt, readAt }: queries.Notification) {
	return { id, text, link, time: createdAt, unread: readAt === null }
}
