/** Why nothing is claimed. `silent`: the network does not answer with a verdict. `limited`: it limits the account or the app. */
export type OutageKind = 'silent' | 'limited'

/** Stops sending during an outage, and probes with single messages whether it is over. One per sender; all share a NetworkState. */
export interface CircuitBreaker {
	/** How many messages may be sent now beside those in flight: any number, one to probe, or none. */
	allowance(): number
	/** Call with each message that is sent while the breaker is open: it is the probe. */
	probing(): void
	/** The probe was not sent after all: neither a verdict nor a failure, and another may follow at once. */
	abandoned(): void
	/** A verdict of the network on a message sent at this time. Returns whether that ends an outage. */
	succeeded(sentAtMs: number): boolean
	/** No verdict, or a limit. Returns whether that begins an outage. */
	failed(kind: OutageKind, sentAtMs: number): boolean
	/** Null while there is no outage. */
	outage(): OutageKind | null
	/** Milliseconds until the next probe may be sent. */
	waitMs(): number
}

/** So many failures without a verdict in between are an outage. */
const FAILURES_TO_OPEN = 5
/** A probe may cost its message, so they are a few seconds apart, and further when the outage lasts. */
const PROBE_INTERVAL_MS = 4000
const MAX_PROBE_INTERVAL_MS = 30_000
const PROBES_BEFORE_SLOWING = 15
const SLOWING = 1.3
/** So many senders without a verdict at once mean that the network is down for all. */
const SENDERS_TO_OPEN = 3
const DOWN_AFTER_MS = 3 * PROBE_INTERVAL_MS

/** What the senders of a process know of the network together. */
export interface NetworkState {
	/** Senders in an outage, and when any last had a verdict. */
	failing: Set<CircuitBreaker>
	succeededAtMs: number
	probedAtMs: number
}

export function createNetworkState(): NetworkState {
	return { failing: new Set(), succeededAtMs: Number.NEGATIVE_INFINITY, probedAtMs: Number.NEGATIVE_INFINITY }
}

export function createCircuitBreaker(
	network: NetworkState,
	now: () => number = () => performance.now(),
): CircuitBreaker {
	return new Breaker(network, now)
}

class Breaker implements CircuitBreaker {
	readonly #network: NetworkState
	readonly #now: () => number
	#kind: OutageKind | null = null
	#failures = 0
	#probes = 0
	#isProbing = false
	/** Outcomes of messages sent before this are ignored: they belong to the state before the last change. */
	#changedAtMs = Number.NEGATIVE_INFINITY
	/** The last probe, or the beginning of the outage. */
	#askedAtMs = 0
	#probeAtMs = 0

	constructor(network: NetworkState, now: () => number) {
		this.#network = network
		this.#now = now
	}

	outage(): OutageKind | null {
		return this.#kind
	}

	allowance(): number {
		if (this.#kind === null) return Number.POSITIVE_INFINITY
		return !this.#isProbing && this.#untilProbeMs() <= 0 ? 1 : 0
	}

	waitMs(): number {
		return this.#kind === null ? 0 : Math.max(0, this.#untilProbeMs())
	}

	probing(): void {
		if (this.#kind === null) return
		const intervalMs = PROBE_INTERVAL_MS * SLOWING ** Math.max(0, ++this.#probes - PROBES_BEFORE_SLOWING)
		this.#isProbing = true
		this.#askedAtMs = this.#now()
		this.#network.probedAtMs = this.#now()
		this.#probeAtMs = this.#now() + Math.min(MAX_PROBE_INTERVAL_MS, intervalMs)
	}

	abandoned(): void {
		if (!this.#isProbing) return
		this.#isProbing = false
		this.#probes--
		this.#probeAtMs = this.#now()
		this.#network.probedAtMs = Number.NEGATIVE_INFINITY
	}

	succeeded(sentAtMs: number): boolean {
		this.#network.succeededAtMs = this.#now()
		if (sentAtMs < this.#changedAtMs) return false
		this.#failures = 0
		if (this.#kind === null) return false
		this.#change(null)
		this.#network.failing.delete(this)
		return true
	}

	failed(failure: OutageKind, sentAtMs: number): boolean {
		if (sentAtMs < this.#changedAtMs) return false
		if (this.#kind !== null) {
			this.#isProbing = false
			return false
		}
		if (failure === 'silent' && ++this.#failures < FAILURES_TO_OPEN) return false
		this.#change(failure)
		this.#probeAtMs = this.#now() + PROBE_INTERVAL_MS
		if (failure === 'silent') this.#network.failing.add(this)
		return true
	}

	#change(kind: OutageKind | null): void {
		this.#kind = kind
		this.#failures = 0
		this.#probes = 0
		this.#isProbing = false
		this.#changedAtMs = this.#now()
		this.#askedAtMs = this.#now()
	}

	#untilProbeMs(): number {
		const mine = this.#probeAtMs - this.#now()
		const { failing, probedAtMs, succeededAtMs } = this.#network
		const isDownForAll = failing.size >= SENDERS_TO_OPEN && this.#now() - succeededAtMs > DOWN_AFTER_MS
		// With every sender down, one probe at a time asks for all of them.
		if (isDownForAll) return Math.max(mine, probedAtMs + PROBE_INTERVAL_MS - this.#now())
		// Another sender has had a verdict since: the network is back, so this one need not wait out a long interval.
		return succeededAtMs > this.#askedAtMs ? Math.min(mine, succeededAtMs + PROBE_INTERVAL_MS - this.#now()) : mine
	}
}
