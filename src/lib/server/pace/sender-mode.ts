/** The kind of an outage. `silent`: Meta gives no verdict. `limited`: Meta limits the account or the app. */
export type OutageKind = 'silent' | 'limited'

type Mode =
	/** The sender has no messages. */
	| { name: 'idle' }
	/** `awaitsAnswer`: the loop sleeps until an answer makes room. */
	| { name: 'sending'; awaitsAnswer: boolean }
	/** An outage: single probes ask whether it is over. `askedAtMs` is the time of the last probe, or of the beginning. */
	| { name: 'probing'; outage: OutageKind; probes: number; isUnderWay: boolean; askedAtMs: number; nextAtMs: number }
	/** The loop claims and sends nothing more, and waits for answers. */
	| { name: 'draining' }

/** Number of failures without a verdict in between that begins an outage. */
const FAILURES_TO_PROBE = 5
/**
 * Milliseconds between the first PROBES_BEFORE_SLOWING probes. Later probes follow at longer intervals, as a probe may
 * cost its message.
 */
const PROBE_INTERVAL_MS = 4000
const MAX_PROBE_INTERVAL_MS = 30_000
const PROBES_BEFORE_SLOWING = 15
const SLOWING = 1.3
/** Number of failing senders at which the outage counts as global. */
const SENDERS_TO_SHARE = 3
const DOWN_AFTER_MS = 3 * PROBE_INTERVAL_MS
/** Milliseconds without work after which a sender's lease is released. */
const IDLE_AFTER_MS = 10_000

/** The state of the network that the senders of a process share. */
export interface NetworkState {
	/** The senders without a verdict, and the time of the last verdict of any. */
	failing: Set<SenderMode>
	succeededAtMs: number
	probedAtMs: number
}

export function createNetworkState(): NetworkState {
	return { failing: new Set(), succeededAtMs: Number.NEGATIVE_INFINITY, probedAtMs: Number.NEGATIVE_INFINITY }
}

/**
 * The mode of a sender's run. Only the methods here change it:
 *
 * | from    | when                                                               | to                 | by          |
 * | ------- | ------------------------------------------------------------------ | ------------------ | ----------- |
 * | idle    | there is work                                                      | sending            | `turn`      |
 * | sending | no work is left                                                    | idle               | `turn`      |
 * | sending | no verdict five times in a row, or a limit of the account          | probing            | `failed`    |
 * | probing | a verdict                                                          | sending            | `succeeded` |
 * | any     | stopped, the lease is over, or no work for ten seconds             | draining, for good | `drain`     |
 */
export class SenderMode {
	readonly #network: NetworkState
	readonly #now: () => number
	#mode: Mode = { name: 'idle' }
	/** Number of failures without a verdict in between. */
	#failures = 0
	/**
	 * Time at which an outage last began or ended, by performance.now(). Outcomes of messages sent before it say nothing
	 * about the time since.
	 */
	#changedAtMs = Number.NEGATIVE_INFINITY
	#workedAtMs: number

	constructor(network: NetworkState, now: () => number = () => performance.now()) {
		this.#network = network
		this.#now = now
		this.#workedAtMs = now()
	}

	get name(): Mode['name'] {
		return this.#mode.name
	}

	/**
	 * Returns the number of messages that may be sent now, besides those in flight, where pace and latency allow `free`.
	 */
	room(free: number): number {
		if (this.#mode.name === 'probing') return !this.#mode.isUnderWay && this.probeInMs() <= 0 ? 1 : 0
		return this.#mode.name === 'draining' ? 0 : free
	}

	/** Returns the milliseconds until the next probe may be sent. */
	probeInMs(): number {
		if (this.#mode.name !== 'probing') return 0
		const { nextAtMs, askedAtMs } = this.#mode
		const mine = nextAtMs - this.#now()
		const { failing, probedAtMs, succeededAtMs } = this.#network
		const isDownForAll = failing.size >= SENDERS_TO_SHARE && this.#now() - succeededAtMs > DOWN_AFTER_MS
		// In a global outage one probe at a time serves all senders.
		if (isDownForAll) return Math.max(mine, probedAtMs + PROBE_INTERVAL_MS - this.#now())
		// Another sender has had a verdict since, so the network works and this sender need not wait out a long interval.
		return succeededAtMs > askedAtMs ? Math.min(mine, succeededAtMs + PROBE_INTERVAL_MS - this.#now()) : mine
	}

	/** Returns true when an answer has to wake the loop. */
	awaitsAnswer(): boolean {
		return this.#mode.name === 'sending' ? this.#mode.awaitsAnswer : this.#mode.name !== 'idle'
	}

	/** Moves the mode at each turn of the loop, by the work that there is. */
	turn({ hasWork, isFull }: { hasWork: boolean; isFull: boolean }): void {
		if (hasWork) this.#workedAtMs = this.#now()
		else if (this.#now() - this.#workedAtMs >= IDLE_AFTER_MS) this.drain()
		if (this.#mode.name === 'idle' || this.#mode.name === 'sending')
			this.#mode = hasWork ? { name: 'sending', awaitsAnswer: isFull } : { name: 'idle' }
	}

	/** Records that a message is sent: in an outage it is the probe. */
	sent(): void {
		if (this.#mode.name !== 'probing') return
		const intervalMs = PROBE_INTERVAL_MS * SLOWING ** Math.max(0, ++this.#mode.probes - PROBES_BEFORE_SLOWING)
		this.#mode.isUnderWay = true
		this.#mode.askedAtMs = this.#now()
		this.#network.probedAtMs = this.#now()
		this.#mode.nextAtMs = this.#now() + Math.min(MAX_PROBE_INTERVAL_MS, intervalMs)
	}

	/** Records that a message was not sent after all. A probe then gives no verdict, and another may follow at once. */
	abandoned(): void {
		if (this.#mode.name !== 'probing' || !this.#mode.isUnderWay) return
		this.#mode.isUnderWay = false
		this.#mode.probes--
		this.#mode.nextAtMs = this.#now()
		this.#network.probedAtMs = Number.NEGATIVE_INFINITY
	}

	/** Records a verdict on a message sent at this time. Returns true when it ends an outage. */
	succeeded(sentAtMs: number): boolean {
		this.#network.succeededAtMs = this.#now()
		if (sentAtMs < this.#changedAtMs) return false
		this.#failures = 0
		if (this.#mode.name !== 'probing') return false
		this.#mode = { name: 'sending', awaitsAnswer: true }
		this.#changedAtMs = this.#now()
		this.#network.failing.delete(this)
		return true
	}

	/** Records a message without a verdict, or a limit. Returns true when it begins an outage. */
	failed(outage: OutageKind, sentAtMs: number): boolean {
		if (sentAtMs < this.#changedAtMs || this.#mode.name === 'draining') return false
		if (this.#mode.name === 'probing') {
			this.#mode.isUnderWay = false
			return false
		}
		if (outage === 'silent' && ++this.#failures < FAILURES_TO_PROBE) return false
		const now = this.#now()
		const nextAtMs = now + PROBE_INTERVAL_MS
		this.#mode = { name: 'probing', outage, probes: 0, isUnderWay: false, askedAtMs: now, nextAtMs }
		this.#failures = 0
		this.#changedAtMs = now
		if (outage === 'silent') this.#network.failing.add(this)
		return true
	}

	drain(): void {
		this.#mode = { name: 'draining' }
		this.#network.failing.delete(this)
	}
}
