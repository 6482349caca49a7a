import { setTimeout as sleep } from 'node:timers/promises'
import { webhookBody, type Update } from './webhook-body.ts'

const MAX_UPDATES = 1_000
const MAX_BYTES = 2_500_000
const CONCURRENT_POSTS = 8
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000]
const MAX_RETRYING_BATCHES = 8
const PROBE_INTERVAL_MS = 1_000

/** Posts a body. Resolves to true when the receiver answered 200, and to null when the receiver no longer exists. */
export type Post = (body: Buffer, updates: number) => Promise<boolean | null>

interface Batch {
	updates: Update[]
	/** Built for the first attempt, so that retries send the same bytes. */
	body: Buffer | null
	attempts: number
}

/** Delivers to one receiver: collects updates into batches and retries each until it is accepted. */
export class WebhookQueue {
	readonly #post: Post
	readonly #stopped: AbortSignal
	readonly #ready: Batch[] = []
	#open: Update[] = []
	#openBytes = 0
	#posting = 0
	#waiting = 0
	#lastTakenAt = 0
	#lastRefusedAt = 0
	#lastStartedAt = 0
	#outstanding = 0

	constructor(post: Post, stopped: AbortSignal) {
		this.#post = post
		this.#stopped = stopped
	}

	/** Number of updates that are not accepted yet. */
	get outstanding(): number {
		return this.#outstanding
	}

	push(update: Update): void {
		this.#outstanding++
		if (update.alone) return this.#enqueue([update])
		this.#open.push(update)
		this.#openBytes += update.text.length + 1
		if (this.#open.length >= MAX_UPDATES || this.#openBytes >= MAX_BYTES) this.#closeOpen()
	}

	/** Starts POSTs up to the limit. The open batch continues to collect updates. */
	flush(): void {
		while (this.#posting < CONCURRENT_POSTS && this.#mayStart()) {
			if (this.#ready.length === 0 && this.#open.length > 0) this.#closeOpen()
			const batch = this.#ready.shift()
			if (!batch) return
			this.#lastStartedAt = performance.now()
			void this.#deliver(batch)
		}
	}

	// Returns true if another POST may start. A receiver that seems down gets one new batch a second besides the retries;
	// otherwise batches that it always refuses would block the others.
	#mayStart(): boolean {
		if (this.#stopped.aborted) return false
		const seemsDown = this.#waiting >= MAX_RETRYING_BATCHES && this.#lastRefusedAt > this.#lastTakenAt
		return !seemsDown || performance.now() - this.#lastStartedAt >= PROBE_INTERVAL_MS
	}

	#closeOpen(): void {
		this.#enqueue(this.#open)
		this.#open = []
		this.#openBytes = 0
	}

	#enqueue(updates: Update[]): void {
		this.#ready.push({ updates, body: null, attempts: 0 })
	}

	async #deliver(batch: Batch): Promise<void> {
		this.#posting++
		batch.body ??= Buffer.from(webhookBody(batch.updates))
		const taken = await this.#post(batch.body, batch.updates.length)
		this.#posting--
		if (this.#stopped.aborted) return
		if (taken === false) return this.#retryLater(batch)
		this.#lastTakenAt = performance.now()
		this.#outstanding -= batch.updates.length
		for (const update of batch.updates) update.acknowledged()
		this.flush()
	}

	async #retryLater(batch: Batch): Promise<void> {
		this.#lastRefusedAt = performance.now()
		const waitMs = RETRY_DELAYS_MS[Math.min(batch.attempts++, RETRY_DELAYS_MS.length - 1)]
		this.#waiting++
		this.flush()
		const waited = await sleep(waitMs, true, { signal: this.#stopped }).catch(() => false)
		this.#waiting--
		if (!waited) return
		void this.#deliver(batch)
		this.flush()
	}
}
