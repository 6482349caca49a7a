import type { EventSourceClient } from 'eventsource-client'
import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { LIVE_PATH, LiveEvent } from '#lib/live.ts'
import { checkConnection, onReconnect } from './connection.ts'
import { expireSession, readToken } from './session.ts'

export type LiveState = 'closed' | 'connecting' | 'open'

const eventListeners = new Set<(event: LiveEvent) => void>()
const stateListeners = new Set<() => void>()
let state: LiveState = 'closed'
let source: EventSourceClient | undefined
/** Counts openings, so that a stream which was closed while its client loaded is not opened. */
let opening = 0
/** Since when the page has been fetching what it shows. */
let fetchingSinceMs = 0
/** The page may begin to fetch earlier than it opens its stream, and its fetches may reach the server before the stream does. */
const EARLIER_MS = 2000

function setState(next: LiveState): void {
	state = next
	for (const listener of stateListeners) listener()
}

/**
 * Opens the page's event stream, whose events go to all subscribers. Returns the function that closes it. The server also
 * sends what has happened since the page began to fetch, and what was missed in a gap; where it cannot, `onResync` runs.
 */
export function openLive(onResync: () => void): () => void {
	closeLive()
	setState('connecting')
	fetchingSinceMs = performance.now() - EARLIER_MS
	void connect(onResync)
	// A stream that was cut off silently would not notice that the network is back.
	const forget = onReconnect(() => {
		const { lastEventId } = source ?? {}
		closeLive()
		setState('connecting')
		void connect(onResync, lastEventId)
	})
	return () => {
		forget()
		closeLive()
	}
}

/** The client comes in a chunk of its own: nothing on the first paint needs it. */
async function connect(onResync: () => void, initialLastEventId?: string): Promise<void> {
	const mine = ++opening
	const token = readToken()
	const client = await import('eventsource-client').catch(() => null)
	if (mine !== opening) return
	// Without a network the chunk cannot be loaded; `onReconnect` tries again.
	if (!client) return void checkConnection()
	source = client.createEventSource({
		url: new URL(LIVE_PATH, location.href),
		headers: { authorization: `Bearer ${token ?? ''}` },
		...(initialLastEventId && { initialLastEventId }),
		fetch: async (url, init) => {
			const response = await fetch(`${String(url)}?lastMs=${Math.ceil(performance.now() - fetchingSinceMs)}`, init)
			// The client would reconnect for ever after a 401.
			if (response.status === 401) {
				closeLive()
				expireSession(token)
				// Another tab has signed in anew meanwhile.
				if (readToken()) void connect(onResync)
			}
			// Too many tabs: this one goes without live updates until another is closed.
			if (response.status === 429) await pause(response, init?.signal as AbortSignal | undefined)
			// Any answer counts as a stream to the client.
			if (!response.ok) throw new Error(`The stream was refused: ${response.status}`)
			return response
		},
		onConnect: () => setState('open'),
		onScheduleReconnect: () => {
			setState('connecting')
			void checkConnection()
		},
		onMessage: ({ data }) => deliver(data, onResync),
	})
}

/** Waits as long as the server asks for, or until the stream is closed. */
function pause({ headers }: Response, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, Number(headers.get('retry-after') ?? 30) * 1000)
		signal?.addEventListener('abort', () => {
			clearTimeout(timer)
			resolve()
		})
	})
}

function closeLive(): void {
	opening++
	source?.close()
	source = undefined
	setState('closed')
}

function deliver(data: string, onResync: () => void): void {
	const read = z.safeParse(z.pipe(z.string(), z.transform(readJson)), data)
	const event = z.safeParse(LiveEvent, read.data)
	if (event.data?.kind === 'resync') onResync()
	else if (event.success) for (const listener of eventListeners) listener(event.data)
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text)
	} catch {
		return null
	}
}

export function subscribe(listener: (event: LiveEvent) => void): () => void {
	eventListeners.add(listener)
	return () => eventListeners.delete(listener)
}

export function useLiveState(): LiveState {
	return useSyncExternalStore(
		(listener) => {
			stateListeners.add(listener)
			return () => stateListeners.delete(listener)
		},
		() => state,
	)
}
