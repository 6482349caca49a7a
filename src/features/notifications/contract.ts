import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Message, Page, RowId, Text, Time } from '#lib/fields.ts'

export const NotificationRow = z.object({
	id: RowId,
	text: z.string(),
	time: Time,
	unread: z.boolean(),
	link: z.nullable(z.string()),
	/** Present figures of a completed campaign. */
	result: z.optional(z.string()),
})
export type NotificationRow = z.output<typeof NotificationRow>

/** Chats whose customers wait for an answer: the number of all and of unread ones, and the newest of them. */
export const WaitingChats = z.object({
	count: z.int(),
	unread: z.int(),
	rows: z.array(
		z.object({
			name: z.string(),
			/** Number of unread messages; 0 for a chat that was read and not answered. */
			unread: z.int(),
			/** Last message in one line. */
			text: z.string(),
			time: z.string(),
			link: z.string(),
		}),
	),
})
export type WaitingChats = z.output<typeof WaitingChats>

/** Filters of the list: unread notifications, or notifications about campaigns, templates or money. */
export const NotificationFilter = z.enum(['unread', 'campaigns', 'templates', 'money'])
export type NotificationFilter = z.output<typeof NotificationFilter>

const BAD_SUBSCRIPTION = 'This is no push subscription of a browser'
/** Returns the schema of a key in base64url, of the length that the pattern requires. */
const Key = (pattern: RegExp) => Text(100, { tooLong: BAD_SUBSCRIPTION }).check(z.regex(pattern, BAD_SUBSCRIPTION))

/** A browser's push subscription, by which notifications reach it while the app is closed. */
export const PushDevice = z.object({
	endpoint: Text(1000, { tooLong: BAD_SUBSCRIPTION }).check(z.url({ protocol: /^https$/, error: BAD_SUBSCRIPTION })),
	p256dh: Key(/^[\w-]{87}$/),
	auth: Key(/^[\w-]{22}$/),
	/** True to show sender and text of messages, also on the lock screen. */
	withTexts: z.boolean(),
})

export const notifications = {
	/** An agent gets the chats only. */
	list: endpoint('GET /api/notifications', {
		access: 'agent',
		query: z.object({ page: Page, filter: z.catch(z.optional(NotificationFilter), undefined) }),
		response: z.object({
			notifications: z.array(NotificationRow),
			unread: z.int(),
			pages: z.int(),
			/** Customers who wait for an answer. A chat leaves the list when it is answered. The previous release sends none. */
			chats: z.optional(WaitingChats),
		}),
	}),
	/** Returns the device of this session, and the public key with which its push service checks the sender. */
	device: endpoint('GET /api/notifications/device', {
		access: 'manager',
		response: z.object({ publicKey: z.string(), device: z.nullable(z.object({ withTexts: z.boolean() })) }),
	}),
	saveDevice: endpoint('POST /api/notifications/device', { access: 'manager', body: PushDevice, response: Message }),
	removeDevice: endpoint('DELETE /api/notifications/device', { access: 'manager', response: Message }),
	markRead: endpoint('POST /api/notifications/mark-read', { access: 'manager', response: Message }),
}
