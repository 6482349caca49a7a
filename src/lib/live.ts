import * as z from 'zod/mini'

/** What has changed, as reported to a signed-in browser over `GET /api/events`. The browser refetches the data it shows. */
export const LiveEvent = z.object({
	/** `resync`: events may have been missed, so everything on screen must be refetched. */
	kind: z.enum(['campaign', 'wallet', 'templates', 'notification', 'chat', 'sender', 'session', 'resync']),
	id: z.optional(z.string()),
})
export type LiveEvent = z.output<typeof LiveEvent>

export const LIVE_PATH = '/api/events'
