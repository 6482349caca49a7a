import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Message, Page, RowId, Time } from '#lib/fields.ts'

export const NotificationRow = z.object({
	id: RowId,
	text: z.string(),
	time: Time,
	unread: z.boolean(),
	link: z.nullable(z.string()),
})
export type NotificationRow = z.output<typeof NotificationRow>

export const notifications = {
	list: endpoint('GET /api/notifications', {
		access: 'user',
		query: z.object({ page: Page }),
		response: z.object({ notifications: z.array(NotificationRow), unread: z.int(), pages: z.int() }),
	}),
	markRead: endpoint('POST /api/notifications/mark-read', { access: 'user', response: Message }),
}
