import { parseJson } from './text/parse-json.ts'

const LIVE_KINDS = [
	'campaign',
	'wallet',
	'templates',
	'notification',
	'chat',
	'typing',
	'sender',
	'session',
	'resync',
] as const

/** A change, sent to signed-in browsers over `GET /api/events`. The browser refetches the affected data. */
export interface LiveEvent {
	/**
	 * `resync`: events may be lost, so the browser must refetch everything on screen. `typing`: a person types in a chat; nothing
	 * has changed.
	 */
	kind: (typeof LIVE_KINDS)[number]
	id?: string | undefined
	/** Id of the person who types. */
	by?: string | undefined
}

export const LIVE_PATH = '/api/events'

/** Returns the event that the stream sent; null for a kind that this version does not know. */
export function readLiveEvent(data: string): LiveEvent | null {
	const { kind, id, by } = (parseJson(data) ?? {}) as Record<string, unknown>
	const known = LIVE_KINDS.find((one) => one === kind)
	return known ? { kind: known, ...(typeof id === 'string' && { id }), ...(typeof by === 'string' && { by }) } : null
}
