/** Milliseconds for which the first notification waits for others, to share one statement. */
const GATHER_MS = 10
/**
 * Minimum milliseconds between statements: a single notification is sent within GATHER_MS, a busy process sends four
 * statements a second.
 */
const INTERVAL_MS = 250
/** Minimum milliseconds between statements when only progress updates wait. */
const PROGRESS_INTERVAL_MS = 1000

/**
 * Sends notifications in batches, outside any transaction: NOTIFY serializes the commits of the whole server, so a
 * settling or storing transaction must not contain one. Each batch costs a transaction here and a wake-up in every
 * listening process. Duplicates within a batch are sent once.
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

	/** Resolves when all notifications added so far were sent or failed. */
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
		// A failure only delays subscribers, since they also poll.
		this.#sending = this.#send(channels, payloads).then(
			() => this.#endStatement(),
			() => this.#endStatement(),
		)
		return this.#sending
	}

	#endStatement(): void {
		this.#sending = null
		this.#schedule()
	}
}
