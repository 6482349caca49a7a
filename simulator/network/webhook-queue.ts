import { setTimeout as sleep } from 'node:timers/promises'
import { webhookBody, type Update } from './webhook-body.ts'

const MAX_UPDATES = 1_000
const MAX_BYTES = 2_500_000
const CONCURRENT_POSTS = 8
const RETRY_DELAYS_MS = [250, 500, 1_000, 2_000]
const MAX_RETRYING_BATCHES = 8
const PROBE_INTERVAL_MS = 1_000

/** Sends one body; true when the receiver answered 200. `null` when nobody wants it any more. */
export type Post = (body: Buffer, updates: number) => Promise<boolean | null>

interface Batch {
	updates: Update[]
	/** Made when it is first sent; a retry repeats it byte for byte. */
	body: Buffer | null
	attempts: number
}

/** The way to one receiver: gathers updates into batches and keeps trying each until it is taken. */
export class WebhookQueue {
	readonly #post: Post
	readonly #stopped: AbortSignal
	readonly #sealed: Batch[] = []
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

	/** Updates that no receiver has taken yet. */
	get outstanding(): number {
		return this.#outstanding
	}

	push(update: Update): void {
		this.#outstanding++
		if (update.alone) return this.#seal([update])
		this.#open.push(update)
		this.#openBytes += update.text.length + 1
		if (this.#open.length >= MAX_UPDATES || this.#openBytes >= MAX_BYTES) this.#sealOpen()
	}

	/** Starts as many POSTs as may run at once. What stays open goes on gathering updates meanwhile. */
	flush(): void {
		while (this.#posting < CONCURRENT_POSTS && this.#mayStart()) {
			if (this.#sealed.length === 0 && this.#open.length > 0) this.#sealOpen()
			const batch = this.#sealed.shift()
			if (!batch) return
			this.#lastStartedAt = performance.now()
			void this.#deliver(batch)
		}
	}

	// A receiver that is down is asked with one new batch a second, beside the few that are tried again. Not with
	// none: what waits may be only what this receiver never takes.
	#mayStart(): boolean {
		if (this.#stopped.aborted) return false
		const seemsDown = this.#waiting >= MAX_RETRYING_BATCHES && this.#lastRefusedAt > this.#lastTakenAt
		return !seemsDown || performance.now() - this.#lastStartedAt >= PROBE_INTERVAL_MS
	}

	#sealOpen(): void {
		this.#seal(this.#open)
		this.#open = []
		this.#openBytes = 0
	}

	#seal(updates: Update[]): void {
		this.#sealed.push({ updates, body: null, attempts: 0 })
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
