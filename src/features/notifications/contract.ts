import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Message, Page, RowId, Text, Time } from '#lib/fields.ts'

export const NotificationRow = z.object({
	id: RowId,
	text: z.string(),
	time: Time,
	unread: z.boolean(),
	link: z.nullable(z.string()),
})
export type NotificationRow = z.output<typeof NotificationRow>

const BAD_SUBSCRIPTION = 'This is no push subscription of a browser'
/** A key of these many bytes in base64url. */
const Key = (pattern: RegExp) => Text(100, { tooLong: BAD_SUBSCRIPTION }).check(z.regex(pattern, BAD_SUBSCRIPTION))

/** What a browser is reached at while the app is closed, as its push manager gives it. */
export const PushDevice = z.object({
	endpoint: Text(1000, { tooLong: BAD_SUBSCRIPTION }).check(z.url({ protocol: /^https$/, error: BAD_SUBSCRIPTION })),
	p256dh: Key(/^[\w-]{87}$/),
	auth: Key(/^[\w-]{22}$/),
	/** Whether it shows who wrote what, also while it is locked. */
	withTexts: z.boolean(),
})

export const notifications = {
	list: endpoint('GET /api/notifications', {
		access: 'user',
		query: z.object({ page: Page }),
		response: z.object({ notifications: z.array(NotificationRow), unread: z.int(), pages: z.int() }),
	}),
	/** The device of this session, and the key that its push service checks the sender by. */
	device: endpoint('GET /api/notifications/device', {
		access: 'user',
		response: z.object({ publicKey: z.string(), device: z.nullable(z.object({ withTexts: z.boolean() })) }),
	}),
	saveDevice: endpoint('POST /api/notifications/device', { access: 'user', body: PushDevice, response: Message }),
	removeDevice: endpoint('DELETE /api/notifications/device', { access: 'user', response: Message }),
	markRead: endpoint('POST /api/notifications/mark-read', { access: 'user', response: Message }),
}
