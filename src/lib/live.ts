import * as z from 'zod/mini'

/** A change, sent to signed-in browsers over `GET /api/events`. The browser refetches the affected data. */
export const LiveEvent = z.object({
	/** `resync`: events may be lost, so the browser must refetch everything on screen. */
	kind: z.enum(['campaign', 'wallet', 'templates', 'notification', 'chat', 'sender', 'session', 'resync']),
	id: z.optional(z.string()),
})
export type LiveEvent = z.output<typeof LiveEvent>

export const LIVE_PATH = '/api/events'
