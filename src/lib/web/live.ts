import type { EventSourceClient } from 'eventsource-client'
import { useSyncExternalStore } from 'react'
import { LIVE_PATH, readLiveEvent, type LiveEvent } from '#lib/live.ts'
import { checkConnection, onReconnect } from './connection.ts'
import { endEarlyCalls } from './early-calls.ts'
import { expireSession, readToken } from './session.ts'

export type LiveState = 'closed' | 'connecting' | 'open'

const eventListeners = new Set<(event: LiveEvent) => void>()
const stateListeners = new Set<() => void>()
let state: LiveState = 'closed'
let source: EventSourceClient | undefined
/** Counts openings, so that a stream closed while its client loaded is not opened. */
let opening = 0
/** Time at which the page began to fetch its data. */
let fetchingSinceMs = 0
/** Milliseconds by which the stream looks back further, since the page's fetches start before the stream opens. */
const EARLIER_MS = 2000
/** Milliseconds that the stream's request may take; the server adds them to the time it looks back. */
const REQUEST_TAKES_MS = 3000

function setState(next: LiveState): void {
	state = next
	for (const listener of stateListeners) listener()
}

/**
 * Opens the page's event stream, which serves all subscribers, and returns the function that closes it. The server
 * replays events since the page began to fetch and events missed in a gap; when it cannot, `onResync` runs.
 */
export function openLive(onResync: () => void): () => void {
	closeLive()
	setState('connecting')
	fetchingSinceMs = Math.min(performance.now() - EARLIER_MS, endEarlyCalls())
	void connect(onResync)
	// Reopens the stream, since one that was cut silently does not notice the returning network.
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

/** Loads the client in its own chunk, since the first paint does not need it. */
async function connect(onResync: () => void, initialLastEventId?: string): Promise<void> {
	const mine = ++opening
	const token = readToken()
	const client = await import('eventsource-client').catch(() => null)
	if (mine !== opening) return
	// Without a network the chunk cannot load; `onReconnect` tries again.
	if (!client) return void checkConnection()
	source = client.createEventSource({
		url: new URL(LIVE_PATH, location.href),
		headers: { authorization: `Bearer ${token ?? ''}` },
		...(initialLastEventId && { initialLastEventId }),
		fetch: async (url, init) => {
			const sentAtMs = performance.now()
			const lastMs = Math.ceil(sentAtMs - fetchingSinceMs + REQUEST_TAKES_MS)
			const response = await fetch(`${String(url)}?lastMs=${lastMs}`, init)
			// The client would otherwise reconnect endlessly after a 401.
			if (response.status === 401) {
				closeLive()
				expireSession(token)
				// Another tab has signed in again.
				if (readToken()) void connect(onResync)
			}
			// Too many tabs: this one has no live updates until another closes.
			if (response.status === 429) await pause(response, init?.signal as AbortSignal | undefined)
			// The client takes any answer for a stream, so a refusal must throw.
			if (!response.ok) throw new Error(`The stream was refused: ${response.status}`)
			// On a slow network the server may have looked back from a later time than intended.
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

/** Waits for the server's Retry-After, or until the stream closes. */
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
	const event = readLiveEvent(data)
	if (event?.kind === 'resync') onResync()
	else if (event) for (const listener of eventListeners) listener(event)
}

/** Calls `listener` with each event. Returns the function that ends this. */
export function onLiveEvent(listener: (event: LiveEvent) => void): () => void {
	eventListeners.add(listener)
	return () => eventListeners.delete(listener)
}

/**
 * Refreshes the screen on events that `wants` selects: the first immediately, further ones at most every
 * `minIntervalMs`. Runs one refresh at a time: on a slow network each would cancel the one before, and under constant
 * events none would finish. Returns the function that ends the refreshes.
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
	const unsubscribe = onLiveEvent((event) => {
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
