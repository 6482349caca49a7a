import type { EventSourceClient } from 'eventsource-client'
import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { LIVE_PATH, LiveEvent } from '#lib/live.ts'
import { checkConnection, onReconnect } from './connection.ts'
import { endEarlyCalls } from './early-calls.ts'
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
/** How long the request for a stream may be under way: what happens meanwhile is asked for with what happened before it. */
const REQUEST_TAKES_MS = 3000

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
	fetchingSinceMs = Math.min(performance.now() - EARLIER_MS, endEarlyCalls())
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
			const sentAtMs = performance.now()
			const lastMs = Math.ceil(sentAtMs - fetchingSinceMs + REQUEST_TAKES_MS)
			const response = await fetch(`${String(url)}?lastMs=${lastMs}`, init)
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
			// As on a slow network: the server may have looked back from later than it was asked to.
			const namesLastEvent = new Headers(init?.headers).has('last-event-id')
			if (!namesLastEvent && performance.now() - sentAtMs > REQUEST_TAKES_MS) onResync()
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

function subscribe(listener: (event: LiveEvent) => void): () => void {
	eventListeners.add(listener)
	return () => eventListeners.delete(listener)
}

/**
 * Refreshes what is on screen on the events that `wants` picks: at once, then at most every `minIntervalMs`. One refresh at a
 * time, however long the network takes: each would cancel the one before, and under constant events none would finish.
 */
export function refreshOn(
	wants: (event: LiveEvent) => boolean,
	minIntervalMs: number,
	refresh: (events: LiveEvent[]) => Promise<void>,
): () => void {
	const waiting = new Map<string, LiveEvent>()
	let isRunning = false
	const ended = new AbortController()
	const run = async () => {
		isRunning = true
		while (waiting.size > 0 && !ended.signal.aborted) {
			const events = [...waiting.values()]
			waiting.clear()
			await refresh(events)
			await new Promise((resolve) => setTimeout(resolve, minIntervalMs))
		}
		isRunning = false
	}
	const unsubscribe = subscribe((event) => {
		if (!wants(event)) return
		waiting.set(`${event.kind} ${event.id ?? ''}`, event)
		if (!isRunning) void run()
	})
	return () => {
		ended.abort()
		unsubscribe()
	}
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
