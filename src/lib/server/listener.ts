import pg from 'pg'
import { clientConfig } from './db.ts'
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
const RECONNECT_MS = 1000
/** A connection that does not answer this often, and as quickly, is silent, and replaced. */
const CHECK_INTERVAL_MS = 5000

export function createListener(url: string, log: Log): Listener {
	const channels = new Map<string, Set<Subscription>>()
	let client: pg.Client | null = null
	let connecting: Promise<void> | null = null
	let asked: Promise<unknown> = Promise.resolve()
	let isClosed = false

	// One statement at a time: a check may come while a channel is being added.
	const ask = (text: string) => {
		const answer = asked.then(() => client?.query(text))
		asked = answer.catch(() => {})
		return answer
	}
	const connect = async () => {
		const next = new pg.Client({
			...clientConfig(url, 'listen'),
			connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
			query_timeout: CONNECT_TIMEOUT_MS,
		})
		next.on('error', () => drop(next))
		next.on('end', () => drop(next))
		next.on('notification', ({ channel, payload = '' }) => {
			for (const { onPayload } of channels.get(channel) ?? []) onPayload(payload)
		})
		await next.connect()
		client = next
		await Promise.all(Array.from(channels.keys(), (channel) => ask(`listen ${channel}`)))
	}
	const reconnect = async () => {
		log.warn('the connection that hears notifications was lost')
		while (!isClosed) {
			try {
				await connect()
				for (const subscriptions of channels.values()) for (const { onGap } of subscriptions) onGap()
				return
			} catch {
				client = null
				await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
			}
		}
	}
	const drop = (dead: pg.Client) => {
		void dead.end().catch(() => {})
		if (client !== dead) return
		client = null
		if (!isClosed) void reconnect()
	}
	const timer = setInterval(() => {
		const checked = client
		if (checked) ask('select 1').catch(() => drop(checked))
	}, CHECK_INTERVAL_MS)

	return {
		async listen(channel, onPayload, onGap = () => {}) {
			await (connecting ??= connect())
			const subscriptions = channels.get(channel) ?? new Set()
			const subscription = { onPayload, onGap }
			channels.set(channel, subscriptions.add(subscription))
			await ask(`listen ${channel}`)
			return () => void subscriptions.delete(subscription)
		},
		async close() {
			isClosed = true
			clearInterval(timer)
			await client?.end().catch(() => {})
		},
	}
}
