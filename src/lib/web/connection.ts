import { useSyncExternalStore } from 'react'

/** `offline`: this device has no network. `unreachable`: it has, and the server does not answer. */
export type Connection = 'online' | 'offline' | 'unreachable'

/** Answers without signing in and without the database, whatever else is wrong. */
const CHECK_PATH = '/healthz'
const CHECK_TIMEOUT_MS = 5000
const FIRST_INTERVAL_MS = 1000
const MAX_INTERVAL_MS = 8000
/** All open tabs notice at once that the server is back. Each waits up to this long before it refetches, to spread the load. */
const SPREAD_MS = 1000

const stateListeners = new Set<() => void>()
const reconnectListeners = new Set<() => void>()
let connection: Connection = 'online'
let isChecking = false
/** Ends the pause before the next check. */
let wake = () => {}

/** Whether calls can be expected to reach the server. */
export function isConnected(): boolean {
	return connection === 'online'
}

/** After a call without an answer: polls the server until it answers, and meanwhile sets the connection to offline or unreachable. */
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

/** Checks the connection whenever the browser reports that the network has come or gone. */
export function watchNetwork(): void {
	for (const event of ['online', 'offline']) window.addEventListener(event, () => void checkConnection())
	if (!navigator.onLine) void checkConnection()
}

/** Called each time the server answers again after it did not. */
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
