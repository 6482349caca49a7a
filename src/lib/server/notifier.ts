/** How long notifications are gathered into one statement. */
const GATHER_MS = 100

/**
 * Sends notifications together, outside any transaction: NOTIFY makes the commits of a whole server wait for one another, so
 * a transaction that settles or stores must not carry one. What is told twice is sent once.
 */
export class Notifier {
	readonly #send: (channels: string[], payloads: string[]) => Promise<unknown>
	#waiting = new Map<string, [channel: string, payload: string]>()
	#sending: Promise<void> | null = null

	constructor(send: (channels: string[], payloads: string[]) => Promise<unknown>) {
		this.#send = send
	}

	add(channel: string, payload: string): void {
		this.#waiting.set(`${channel} ${payload}`, [channel, payload])
		this.#sending ??= new Promise<void>((resolve) => setTimeout(resolve, GATHER_MS)).then(() => this.#sendWaiting())
	}

	/** Resolves when all that was added so far has been sent, or could not be. */
	async flush(): Promise<void> {
		while (this.#sending) await this.#sending
	}

	async #sendWaiting(): Promise<void> {
		const sent = [...this.#waiting.values()]
		this.#waiting = new Map()
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
