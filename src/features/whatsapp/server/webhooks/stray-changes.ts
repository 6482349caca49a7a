import type { Log } from '#lib/server/log.ts'

/** Minimum milliseconds between two lines of the log. */
const LOG_INTERVAL_MS = 60_000

/**
 * Counts changes at the app's webhook address that concern no account here. They are not stored: an app may serve numbers of
 * other software, and none of its changes has an account that could look at them.
 */
export class StrayChanges {
	readonly #log: Log
	#count = 0
	#loggedCount = 0
	#loggedAtMs = Number.NEGATIVE_INFINITY

	constructor(log: Log) {
		this.#log = log
	}

	/** Number of changes since the process began. */
	get count(): number {
		return this.#count
	}

	/** Adds changes, and logs their number at most once a minute. `names` are the unknown numbers and WABAs. */
	add(count: number, names: readonly string[]): void {
		if (count === 0) return
		this.#count += count
		const now = performance.now()
		if (now - this.#loggedAtMs < LOG_INTERVAL_MS) return
		const changes = this.#count - this.#loggedCount
		this.#log.warn({ changes, names: names.slice(0, 10) }, 'webhooks of the app concern no account')
		this.#loggedAtMs = now
		this.#loggedCount = this.#count
	}
}
