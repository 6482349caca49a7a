import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { clientConfig, destroy } from '#lib/server/db.ts'
import type { Log } from '#lib/server/log.ts'
import { addressesOf, findWritable } from '../hosts/database-hosts.ts'

/** Receives notifications on its own connection, which must not pass a pooler. */
export interface Listener {
	/** Calls `onPayload` for each notification, and `onGap` when some may be lost. Returns the unsubscribe function. */
	listen(channel: string, onPayload: (payload: string) => void, onGap?: () => void): Promise<() => void>
	close(): Promise<void>
}

interface Subscription {
	onPayload: (payload: string) => void
	onGap: () => void
}

const CONNECT_TIMEOUT_MS = 5000
const RECONNECT_INTERVAL_MS = 1000
/** Interval of connection checks and timeout of their answer, in milliseconds. */
const CHECK_INTERVAL_MS = 5000
const ANSWER_TIMEOUT_MS = 5000

export interface ListenerOptions {
	checkIntervalMs?: number
	answerTimeoutMs?: number
}

export function createListener(url: string, log: Log, options: ListenerOptions = {}): Listener {
	return new Connection(url, log, options)
}

class Connection implements Listener {
	readonly #addresses: readonly string[]
	readonly #log: Log
	readonly #answerTimeoutMs: number
	readonly #timer: NodeJS.Timeout
	readonly #closing = new AbortController()
	readonly #channels = new Map<string, Set<Subscription>>()
	#client: Client | null = null
	/** Pending connection attempt; null otherwise. */
	#connecting: Promise<void> | null = null
	#asked: Promise<unknown> = Promise.resolve()

	constructor(url: string, log: Log, options: ListenerOptions) {
		this.#addresses = addressesOf(url)
		this.#log = log
		this.#answerTimeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS
		this.#timer = setInterval(() => this.#check(), options.checkIntervalMs ?? CHECK_INTERVAL_MS)
	}

	async listen(channel: string, onPayload: (payload: string) => void, onGap = () => {}): Promise<() => void> {
		const subscriptions = this.#channels.get(channel) ?? new Set()
		const subscription = { onPayload, onGap }
		this.#channels.set(channel, subscriptions.add(subscription))
		const current = this.#client
		// When this fails, the next connection listens to the channel.
		if (current) await this.#ask(current, `listen ${channel}`).catch(() => this.#lose(current))
		else await (this.#connecting ?? this.#start(() => this.#connect()))
		return () => void subscriptions.delete(subscription)
	}

	async close(): Promise<void> {
		this.#closing.abort()
		clearInterval(this.#timer)
		await this.#connecting?.catch(() => {})
		const last = this.#client
		this.#client = null
		if (last) destroy(last, 'The listener was closed')
	}

	/** Sends one statement at a time, since a check may run while a channel is added. */
	#ask(on: Client, text: string): Promise<unknown> {
		const answer = this.#asked.then(() => on.query(text))
		this.#asked = answer.catch(() => {})
		return answer
	}

	#check(): void {
		const checked = this.#client
		if (checked) this.#ask(checked, 'select 1').catch(() => this.#lose(checked))
	}

	#start(make: () => Promise<void>): Promise<void> {
		this.#connecting = make().finally(() => (this.#connecting = null))
		return this.#connecting
	}

	/** Connects and listens to all channels, including those added meanwhile. */
	async #connect(): Promise<void> {
		const address = await findWritable(this.#addresses, (each) => clientConfig(each, 'listen'))
		const next = new Client({
			...clientConfig(address, 'listen'),
			connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
			query_timeout: this.#answerTimeoutMs,
		})
		next.on('error', () => this.#lose(next))
		next.on('end', () => this.#lose(next))
		next.on('notification', ({ channel, payload = '' }) => {
			for (const { onPayload } of this.#channels.get(channel) ?? []) onPayload(payload)
		})
		try {
			await next.connect()
			for (const channel of this.#channels.keys()) await this.#ask(next, `listen ${channel}`)
			this.#client = next
		} catch (error) {
			destroy(next, 'This connection could not be made')
			throw error
		}
	}

	async #reconnect(): Promise<void> {
		while (!this.#closing.signal.aborted) {
			try {
				await this.#connect()
				for (const subscriptions of this.#channels.values()) for (const { onGap } of subscriptions) onGap()
				return
			} catch {
				await sleep(RECONNECT_INTERVAL_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
			}
		}
	}

	#lose(lost: Client): void {
		if (this.#client !== lost) return
		this.#client = null
		destroy(lost, 'This connection was lost')
		if (this.#closing.signal.aborted) return
		this.#log.warn('the connection that listens for notifications was lost')
		void this.#start(() => this.#reconnect())
	}
}
