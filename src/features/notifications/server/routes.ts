import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { admits } from '#lib/endpoint.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { transaction, type AccountId, type Sql } from '#lib/server/db.ts'
import { pagesFor } from '#lib/server/db/paging.ts'
import { mount, type Http } from '#lib/server/http/http.ts'
import { notifications, type NotificationFilter, type WaitingChats } from '../contract.ts'
import { findDevice, deleteDeviceOf, upsertDevice } from './device-queries.ts'
import { completedCampaign } from './kinds.ts'
import { pushKeys, type PushContext } from './push.ts'
import * as queries from './queries.ts'
import { markRead } from './service.ts'

/** Number of chats that the bell shows. */
const SHOWN_CHATS = 5

/** Returns the newest `limit` chats whose customers wait for an answer, and the number of all. The feature chats implements it. */
export type ListWaitingChats = (sql: Sql, accountId: AccountId, limit: number) => Promise<WaitingChats>

/** Returns the results of campaigns in words, by the id of the campaign. The feature campaigns implements it. */
export type DescribeResults = (sql: Sql, accountId: AccountId, ids: readonly string[]) => Promise<Map<string, string>>

interface RouteContext extends PushContext {
	waitingChats: ListWaitingChats
	campaignResults: DescribeResults
}

export function notificationRoutes(http: Http, { db, env, waitingChats, campaignResults }: RouteContext): void {
	mount(http, notifications.list, async ({ query, session }) => {
		const waiting = waitingChats(db, session.accountId, SHOWN_CHATS)
		if (!admits('manager', session)) return { notifications: [], unread: 0, pages: 1, chats: await waiting }
		const filter = query.filter && filterOf(query.filter)
		const [chats, rows, count] = await Promise.all([
			waiting,
			queries.listNotifications(db, session.accountId, { page: query.page, limit: PAGE_SIZE, filter }),
			queries.countNotifications(db, session.accountId, filter),
		])
		const ids = rows.map(completedCampaign)
		const results = await campaignResults(
			db,
			session.accountId,
			ids.filter((id) => id !== null),
		)
		return {
			notifications: rows.map((row, index) => ({ ...present(row), result: results.get(ids[index] ?? '') })),
			unread: count.unread,
			pages: pagesFor(count.total, PAGE_SIZE),
			chats,
		}
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

/** Beginnings of the links of the notifications that each filter selects. */
const LINKS: Record<Exclude<NotificationFilter, 'unread'>, string[]> = {
	campaigns: [campaignPath(''), campaignPaths.list],
	templates: [templatePaths.list],
	money: [statementPaths.payments],
}

function filterOf(filter: NotificationFilter): queries.NotificationFilter {
	return filter === 'unread' ? { isUnread: true } : { links: LINKS[filter] }
}
