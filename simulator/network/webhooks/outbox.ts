import { Agent, request } from 'undici'
import type { Account } from '#simulator/state/accounts.ts'
import type { Directory } from '#simulator/state/directory.ts'
import { sign } from './signature.ts'
import type { Update } from './webhook-body.ts'
import { WebhookQueue, type Post } from './webhook-queue.ts'

const FLUSH_INTERVAL_MS = 25
const RECEIVER_TIMEOUT_MS = 10_000

export interface WebhookStats {
	/** Number of updates (statuses, messages, changes) handed to receivers. `posts` counts the POSTs with them, failed ones too. */
	updates: number
	posts: number
	failed_posts: number
	/** Number of updates dropped because their account has no subscription. */
	unsubscribed: number
	outstanding: number
	held: number
	largest_batch: number
}

/** Queues the updates for each receiver. A receiver is an account's override URL, or the callback URL of its app. */
export class Outbox {
	/** Time for which updates are collected before they are posted. */
	intervalMs = FLUSH_INTERVAL_MS
	readonly #directory: Directory
	readonly #queues = new Map<string, WebhookQueue>()
	readonly #agent = new Agent({
		connections: 16,
		headersTimeout: RECEIVER_TIMEOUT_MS,
		bodyTimeout: RECEIVER_TIMEOUT_MS,
	})
	readonly #held = new Map<string, Update[]>()
	#stop = new AbortController()
	#timer: NodeJS.Timeout | null = null
	#holdAll = false
	#stats = { updates: 0, posts: 0, failed_posts: 0, unsubscribed: 0, largest_batch: 0 }

	constructor(directory: Directory) {
		this.#directory = directory
	}

	push(update: Update): void {
		const { account } = update
		const held = this.#held.get(account.id) ?? (this.#holdAll ? this.hold(account.id) : undefined)
		if (held) {
			held.push(update)
			return
		}
		if (!this.#addressOf(account)) {
			this.#stats.unsubscribed++
			update.acknowledged()
			return
		}
		this.#queueOf(account).push(update)
		this.#timer ??= setTimeout(() => this.#flush(), this.intervalMs)
	}

	/** Holds the updates of this account, or of all, until `release`. */
	hold(accountId: string | null): Update[] {
		if (accountId === null) {
			this.#holdAll = true
			return []
		}
		const held = this.#held.get(accountId) ?? []
		this.#held.set(accountId, held)
		return held
	}

	release(accountId: string | null): number {
		if (accountId === null) this.#holdAll = false
		const released: Update[] = []
		for (const [id, updates] of this.#held) {
			if (accountId !== null && id !== accountId) continue
			this.#held.delete(id)
			for (const update of updates) released.push(update)
		}
		for (const update of released) this.push(update)
		return released.length
	}

	get stats(): WebhookStats {
		let held = 0
		for (const updates of this.#held.values()) held += updates.length
		let outstanding = held
		for (const queue of this.#queues.values()) outstanding += queue.outstanding
		return { ...this.#stats, outstanding, held }
	}

	/** Drops all pending updates and resets counters, interval and holds. */
	clear(): void {
		this.#stop.abort()
		this.#stop = new AbortController()
		this.#queues.clear()
		this.#held.clear()
		this.#holdAll = false
		this.intervalMs = FLUSH_INTERVAL_MS
		this.#stats = { updates: 0, posts: 0, failed_posts: 0, unsubscribed: 0, largest_batch: 0 }
	}

	async close(): Promise<void> {
		this.#stop.abort()
		if (this.#timer) clearTimeout(this.#timer)
		await this.#agent.destroy()
	}

	#flush(): void {
		this.#timer = null
		for (const queue of this.#queues.values()) queue.flush()
	}

	#queueOf(account: Account): WebhookQueue {
		const own = account.subscription?.override_callback_uri
		const key = own ? `account ${account.id}` : `app ${account.app_id}`
		const known = this.#queues.get(key)
		if (known) return known
		const app = this.#directory.appOf(account)
		const address = own ? () => this.#addressOf(account) : () => app.callback_url
		const post: Post = (body, updates) => this.#post({ url: address(), secret: app.secret }, body, updates)
		const queue = new WebhookQueue(post, this.#stop.signal)
		this.#queues.set(key, queue)
		return queue
	}

	#addressOf(account: Account): string | null {
		if (!account.subscription) return null
		return account.subscription.override_callback_uri ?? this.#directory.appOf(account).callback_url
	}

	// Posts to the receiver's current address; resolves as `Post` describes. Retries look the address up again, so they
	// follow a new subscription.
	async #post(to: { url: string | null; secret: string }, body: Buffer, updates: number): Promise<boolean | null> {
		if (!to.url) {
			this.#stats.unsubscribed += updates
			return null
		}
		const headers = {
			'content-type': 'application/json',
			'user-agent': 'facebookexternalua',
			'x-hub-signature-256': sign(body, to.secret),
		}
		this.#stats.posts++
		const taken = await this.#exchange(to.url, headers, body)
		if (!taken) this.#stats.failed_posts++
		else this.#stats.updates += updates
		this.#stats.largest_batch = Math.max(this.#stats.largest_batch, updates)
		return taken
	}

	async #exchange(url: string, headers: Record<string, string>, body: Buffer): Promise<boolean> {
		try {
			const signal = this.#stop.signal
			const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.#agent, signal })
			await answer.body.dump()
			return answer.statusCode === 200
		} catch {
			return false
		}
	}
}
