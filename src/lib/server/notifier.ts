import { setTimeout as sleep } from 'node:timers/promises'

/** What comes this soon after one another goes in one statement. */
const GATHER_MS = 10
/** From one statement to the next: a notification in a quiet hour leaves at once, and a busy process sends four a second. */
const INTERVAL_MS = 250

/**
 * Sends notifications together, outside any transaction: NOTIFY makes the commits of a whole server wait for one another, so
 * a transaction that settles or stores must not carry one. What is added twice is sent once.
 */
export class Notifier {
	readonly #send: (channels: string[], payloads: string[]) => Promise<unknown>
	#waiting = new Map<string, [channel: string, payload: string]>()
	#sending: Promise<void> | null = null
	#sentAtMs = Number.NEGATIVE_INFINITY

	constructor(send: (channels: string[], payloads: string[]) => Promise<unknown>) {
		this.#send = send
	}

	add(channel: string, payload: string): void {
		this.#waiting.set(`${channel} ${payload}`, [channel, payload])
		const waitMs = Math.max(GATHER_MS, this.#sentAtMs + INTERVAL_MS - performance.now())
		this.#sending ??= sleep(waitMs).then(() => this.#sendWaiting())
	}

	/** Resolves when all that was added so far has been sent, or could not be. */
	async flush(): Promise<void> {
		while (this.#sending) await this.#sending
	}

	async #sendWaiting(): Promise<void> {
		const sent = [...this.#waiting.values()]
		this.#waiting = new Map()
		this.#sentAtMs = performance.now()
		// Lost ones are made up for by the next look of whoever waits for them.
		await this.#send(
			sent.map(([channel]) => channel),
			sent.map(([, payload]) => payload),
		).catch(() => {})
		this.#sending = null
		const [next] = this.#waiting.values()
		if (next) this.add(...next)
	}
}
