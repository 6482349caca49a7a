import { useSyncExternalStore } from 'react'

/**
 * Connection to the server. `offline`: the device has no network. `unreachable`: the network works and the server does
 * not answer.
 */
export type Connection = 'online' | 'offline' | 'unreachable'

/** Health check that needs neither a session nor the database. */
const CHECK_PATH = '/healthz'
const CHECK_TIMEOUT_MS = 5000
const FIRST_INTERVAL_MS = 1000
const MAX_INTERVAL_MS = 8000
/**
 * Longest random delay in milliseconds before a tab refetches after an outage. Spreads the load, since all tabs notice
 * the server's return together.
 */
const SPREAD_MS = 1000

const stateListeners = new Set<() => void>()
const reconnectListeners = new Set<() => void>()
let connection: Connection = 'online'
let isChecking = false
/** Ends the pause before the next check. */
let wake = () => {}

/** Returns true while calls are expected to reach the server. */
export function isConnected(): boolean {
	return connection === 'online'
}

/**
 * Polls the server until it answers; call after a request without an answer. Meanwhile the connection is offline or
 * unreachable.
 */
export async function checkConnection(): Promise<void> {
	if (isChecking) return wake()
	isChecking = true
	for (let intervalMs = FIRST_INTERVAL_MS; !(await isAnswering()); intervalMs *= 2) {
		setConnection(navigator.onLine ? 'unreachable' : 'offline')
		await pause(Math.min(intervalMs, MAX_INTERVAL_MS))
	}
	if (connection !== 'online') await pause(Math.random() * SPREAD_MS)
	isChecking = false
	if (connection === 'online') return
	setConnection('online')
	for (const listener of reconnectListeners) listener()
}

/** Checks the connection on each network event of the browser. */
export function watchNetwork(): void {
	for (const event of ['online', 'offline']) window.addEventListener(event, () => void checkConnection())
	if (!navigator.onLine) void checkConnection()
}

/** Calls `listener` each time the server answers again after an outage. Returns the function that unsubscribes. */
export function onReconnect(listener: () => void): () => void {
	reconnectListeners.add(listener)
	return () => reconnectListeners.delete(listener)
}

export function useConnection(): Connection {
	return useSyncExternalStore(subscribe, () => connection)
}

function subscribe(listener: () => void): () => void {
	stateListeners.add(listener)
	return () => stateListeners.delete(listener)
}

function setConnection(next: Connection): void {
	if (next === connection) return
	connection = next
	for (const listener of stateListeners) listener()
}

async function isAnswering(): Promise<boolean> {
	const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
	const response = await fetch(CHECK_PATH, { cache: 'no-store', signal }).catch(() => null)
	return response?.ok ?? false
}

function pause(durationMs: number): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, durationMs)
		wake = () => {
			clearTimeout(timer)
			resolve()
		}
	})
}
