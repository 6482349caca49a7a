import * as z from 'zod/mini'

/** What has changed, as the server reports it to a signed-in browser over `GET /api/events`. The browser fetches anew what it shows. */
export const LiveEvent = z.object({
	/** `resync`: events may have been missed, so that everything on screen is to be fetched anew. */
	kind: z.enum(['campaign', 'wallet', 'templates', 'notification', 'chat', 'sender', 'session', 'resync']),
	id: z.optional(z.string()),
})
export type LiveEvent = z.output<typeof LiveEvent>

export const LIVE_PATH = '/api/events'
