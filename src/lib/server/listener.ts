import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig, destroy } from './db.ts'
import type { Log } from './log.ts'

/** Hears what processes notify one another of, on one connection of its own that no pooler may stand before. */
export interface Listener {
	/** Calls `onPayload` for each notification, and `onGap` when some may have been missed. Returns how to end it. */
	listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => void>
	close(): Promise<void>
}

interface Subscription {
	onPayload: (payload: string) => void
	onGap: () => void
}

const CONNECT_TIMEOUT_MS = 5000
const RECONNECT_INTERVAL_MS = 1000
/** How often the connection is asked for a sign of life, and how long it may take to give one. */
const CHECK_INTERVAL_MS = 5000
const ANSWER_TIMEOUT_MS = 5000

export interface ListenerOptions {
	checkIntervalMs?: number
	answerTimeoutMs?: number
}

export function createListener(url: string, log: Log, options: ListenerOptions = {}): Listener {
	const { checkIntervalMs = CHECK_INTERVAL_MS, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options
	const channels = new Map<string, Set<Subscription>>()
	let client: pg.Client | null = null
	/** While a connection is being made, for the first time or again. */
	let connecting: Promise<void> | null = null
	let asked: Promise<unknown> = Promise.resolve()
	const closing = new AbortController()

	// One statement at a time: a check may come while a channel is being added.
	const ask = (on: pg.Client, text: string) => {
		const answer = asked.then(() => on.query(text))
		asked = answer.catch(() => {})
		return answer
	}
	/** Makes a connection that hears all channels; those that are added meanwhile, too. */
	const connect = async () => {
		const next = new pg.Client({
			...clientConfig(url, 'listen'),
			connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
			query_timeout: answerTimeoutMs,
		})
		next.on('error', () => lose(next))
		next.on('end', () => lose(next))
		next.on('notification', ({ channel, payload = '' }) => {
			for (const { onPayload } of channels.get(channel) ?? []) onPayload(payload)
		})
		try {
			await next.connect()
			for (const channel of channels.keys()) await ask(next, `listen ${channel}`)
			client = next
		} catch (error) {
			destroy(next, 'This connection could not be made')
			throw error
		}
	}
	const reconnect = async () => {
		while (!closing.signal.aborted) {
			try {
				await connect()
				for (const subscriptions of channels.values()) for (const { onGap } of subscriptions) onGap()
				return
			} catch {
				await sleep(RECONNECT_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => {})
			}
		}
	}
	const start = (make: () => Promise<void>) => {
		connecting = make().finally(() => (connecting = null))
		return connecting
	}
	const lose = (lost: pg.Client) => {
		if (client !== lost) return
		client = null
		destroy(lost, 'This connection was lost')
		if (closing.signal.aborted) return
		log.warn('the connection that hears notifications was lost')
		void start(reconnect)
	}
	const timer = setInterval(() => {
		const checked = client
		if (checked) ask(checked, 'select 1').catch(() => lose(checked))
	}, checkIntervalMs)

	return {
		async listen(channel, onPayload, onGap = () => {}) {
			const subscriptions = channels.get(channel) ?? new Set()
			const subscription = { onPayload, onGap }
			channels.set(channel, subscriptions.add(subscription))
			const current = client
			// Where this fails, the next connection hears the channel.
			if (current) await ask(current, `listen ${channel}`).catch(() => lose(current))
			else await (connecting ?? start(connect))
			return () => void subscriptions.delete(subscription)
		},
		async close() {
			closing.abort()
			clearInterval(timer)
			await connecting?.catch(() => {})
			const last = client
			client = null
			if (last) destroy(last, 'The listener was closed')
		},
	}
}
