/** How long the first notification waits for others, to go in one statement with them. */
const GATHER_MS = 10
/** The least time from one statement to the next: a single notification is sent at once, a busy process sends four a second. */
const INTERVAL_MS = 250
/** The same when only progress updates are waiting. */
const PROGRESS_INTERVAL_MS = 1000

/**
 * Sends notifications together, outside any transaction: NOTIFY makes the commits of a whole server wait for one another, so
 * a transaction that settles or stores must not carry one. Each statement costs a transaction here and one in every process
 * that listens. What is added twice is sent once.
 */
export class Notifier {
	readonly #send: (channels: string[], payloads: string[]) => Promise<unknown>
	#waiting = new Map<string, [channel: string, payload: string]>()
	#timer: NodeJS.Timeout | undefined
	#dueAtMs = Number.POSITIVE_INFINITY
	#sending: Promise<void> | null = null
	#sentAtMs = Number.NEGATIVE_INFINITY

	constructor(send: (channels: string[], payloads: string[]) => Promise<unknown>) {
		this.#send = send
	}

	add(channel: string, payload: string, { isProgress = false } = {}): void {
		this.#waiting.set(`${channel} ${payload}`, [channel, payload])
		const nextAtMs = this.#sentAtMs + (isProgress ? PROGRESS_INTERVAL_MS : INTERVAL_MS)
		this.#dueAtMs = Math.min(this.#dueAtMs, Math.max(nextAtMs, performance.now() + GATHER_MS))
		this.#schedule()
	}

	/** Resolves when all that was added so far has been sent, or could not be. */
	async flush(): Promise<void> {
		while (this.#sending || this.#waiting.size > 0) await (this.#sending ?? this.#sendWaiting())
	}

	#schedule(): void {
		clearTimeout(this.#timer)
		if (this.#sending || this.#waiting.size === 0) return
		this.#timer = setTimeout(() => void this.#sendWaiting(), Math.max(0, this.#dueAtMs - performance.now()))
	}

	#sendWaiting(): Promise<void> {
		clearTimeout(this.#timer)
		const sent = [...this.#waiting.values()]
		this.#waiting = new Map()
		this.#dueAtMs = Number.POSITIVE_INFINITY
		this.#sentAtMs = performance.now()
		const [channels, payloads] = [sent.map(([channel]) => channel), sent.map(([, payload]) => payload)]
		// Subscribers also poll, so a lost notification only delays them.
		this.#sending = this.#send(channels, payloads).then(
			() => this.#goOn(),
			() => this.#goOn(),
		)
		return this.#sending
	}

	#goOn(): void {
		this.#sending = null
		this.#schedule()
	}
}
