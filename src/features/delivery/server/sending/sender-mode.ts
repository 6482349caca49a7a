/** Why nothing is claimed. `silent`: the network does not answer with a verdict. `limited`: it limits the account or the app. */
export type OutageKind = 'silent' | 'limited'

type Mode =
	/** Nothing to send. */
	| { name: 'idle' }
	/** `awaitsAnswer`: the loop sleeps until an answer makes room. */
	| { name: 'sending'; awaitsAnswer: boolean }
	/** An outage: single messages ask whether it is over, the last of them, or its beginning, at `askedAtMs`. */
	| { name: 'probing'; outage: OutageKind; probes: number; isUnderWay: boolean; askedAtMs: number; nextAtMs: number }
	/** No more is claimed or sent, and answers are awaited. */
	| { name: 'draining' }

/** So many failures without a verdict in between are an outage. */
const FAILURES_TO_PROBE = 5
/** A probe may cost its message, so they are a few seconds apart, and further when the outage lasts. */
const PROBE_INTERVAL_MS = 4000
const MAX_PROBE_INTERVAL_MS = 30_000
const PROBES_BEFORE_SLOWING = 15
const SLOWING = 1.3
/** So many senders without a verdict at once mean that the network is down for all. */
const SENDERS_TO_SHARE = 3
const DOWN_AFTER_MS = 3 * PROBE_INTERVAL_MS
/** Without work for so long, a sender is given up, so that its lease and memory are free. */
const IDLE_AFTER_MS = 10_000

/** What the senders of a process know of the network together. */
export interface NetworkState {
	/** Senders that get no verdict, and when any last had one. */
	failing: Set<SenderMode>
	succeededAtMs: number
	probedAtMs: number
}

export function createNetworkState(): NetworkState {
	return { failing: new Set(), succeededAtMs: Number.NEGATIVE_INFINITY, probedAtMs: Number.NEGATIVE_INFINITY }
}

/**
 * What a sender's run does at present. Nothing but the methods here changes it:
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
	/** Without a verdict in between. */
	#failures = 0
	/** Outcomes of messages sent before an outage began or ended say nothing of the time since. */
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

	/** How many messages may be sent now beside those in flight, where pace and latency have room for so many. */
	room(free: number): number {
		if (this.#mode.name === 'probing') return !this.#mode.isUnderWay && this.probeInMs() <= 0 ? 1 : 0
		return this.#mode.name === 'draining' ? 0 : free
	}

	/** Milliseconds until the next probe may be sent. */
	probeInMs(): number {
		if (this.#mode.name !== 'probing') return 0
		const { nextAtMs, askedAtMs } = this.#mode
		const mine = nextAtMs - this.#now()
		const { failing, probedAtMs, succeededAtMs } = this.#network
		const isDownForAll = failing.size >= SENDERS_TO_SHARE && this.#now() - succeededAtMs > DOWN_AFTER_MS
		// With every sender down, one probe at a time asks for all of them.
		if (isDownForAll) return Math.max(mine, probedAtMs + PROBE_INTERVAL_MS - this.#now())
		// Another sender has had a verdict since: the network is back, so this one need not wait out a long interval.
		return succeededAtMs > askedAtMs ? Math.min(mine, succeededAtMs + PROBE_INTERVAL_MS - this.#now()) : mine
	}

	/** Whether an answer has to wake the loop. */
	awaitsAnswer(): boolean {
		return this.#mode.name === 'sending' ? this.#mode.awaitsAnswer : this.#mode.name !== 'idle'
	}

	/** Call at each turn of the loop, with what there is to do. */
	turn({ hasWork, isFull }: { hasWork: boolean; isFull: boolean }): void {
		if (hasWork) this.#workedAtMs = this.#now()
		else if (this.#now() - this.#workedAtMs >= IDLE_AFTER_MS) this.drain()
		if (this.#mode.name === 'idle' || this.#mode.name === 'sending')
			this.#mode = hasWork ? { name: 'sending', awaitsAnswer: isFull } : { name: 'idle' }
	}

	/** Call with each message that is sent: in an outage it is the probe. */
	sent(): void {
		if (this.#mode.name !== 'probing') return
		const intervalMs = PROBE_INTERVAL_MS * SLOWING ** Math.max(0, ++this.#mode.probes - PROBES_BEFORE_SLOWING)
		this.#mode.isUnderWay = true
		this.#mode.askedAtMs = this.#now()
		this.#network.probedAtMs = this.#now()
		this.#mode.nextAtMs = this.#now() + Math.min(MAX_PROBE_INTERVAL_MS, intervalMs)
	}

	/** The message was not sent after all: a probe is neither a verdict nor a failure then, and another may follow at once. */
	abandoned(): void {
		if (this.#mode.name !== 'probing' || !this.#mode.isUnderWay) return
		this.#mode.isUnderWay = false
		this.#mode.probes--
		this.#mode.nextAtMs = this.#now()
		this.#network.probedAtMs = Number.NEGATIVE_INFINITY
	}

	/** A verdict of the network on a message sent at this time. Returns whether that ends an outage. */
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

	/** No verdict on a message sent at this time, or a limit. Returns whether that begins an outage. */
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
