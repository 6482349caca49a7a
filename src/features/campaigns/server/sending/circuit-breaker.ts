/** Why nothing more is claimed: the network gives no verdict, or limits the whole account or application. */
export type OutageKind = 'silent' | 'limited'

/** Stops sending into an outage, and finds out by single messages when it is over. One per sender, over one for all. */
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

/** What all senders of a process know of the network. */
export interface Origin {
	/** Senders in an outage, and when any last had a verdict. */
	failing: Set<CircuitBreaker>
	succeededAtMs: number
	probedAtMs: number
}

export function createOrigin(): Origin {
	return { failing: new Set(), succeededAtMs: Number.NEGATIVE_INFINITY, probedAtMs: Number.NEGATIVE_INFINITY }
}

export function createCircuitBreaker(origin: Origin, now: () => number = () => performance.now()): CircuitBreaker {
	let kind: OutageKind | null = null
	let failures = 0
	/** Answers to what was sent before this belong to a time that is over. */
	let changedAtMs = Number.NEGATIVE_INFINITY
	/** The last probe, or the beginning of the outage. */
	let askedAtMs = 0
	let probeAtMs = 0
	let probes = 0
	let isProbing = false

	const waitMs = () => {
		if (kind === null) return 0
		const mine = probeAtMs - now()
		if (isDownForAll(origin, now())) return Math.max(mine, origin.probedAtMs + PROBE_INTERVAL_MS - now())
		// Another sender has had a verdict since: the network is back, so this one need not wait out a long interval.
		return origin.succeededAtMs > askedAtMs ? Math.min(mine, origin.succeededAtMs + PROBE_INTERVAL_MS - now()) : mine
	}
	const breaker: CircuitBreaker = {
		allowance() {
			if (kind === null) return Number.POSITIVE_INFINITY
			return !isProbing && waitMs() <= 0 ? 1 : 0
		},
		probing() {
			if (kind === null) return
			isProbing = true
			probes++
			origin.probedAtMs = now()
			askedAtMs = now()
			probeAtMs = now() + probeIntervalMs(probes)
		},
		abandoned() {
			if (!isProbing) return
			isProbing = false
			probeAtMs = now()
			origin.probedAtMs = Number.NEGATIVE_INFINITY
		},
		succeeded(sentAtMs) {
			origin.succeededAtMs = now()
			if (sentAtMs < changedAtMs) return false
			failures = 0
			if (kind === null) return false
			kind = null
			isProbing = false
			changedAtMs = now()
			origin.failing.delete(breaker)
			return true
		},
		failed(failure, sentAtMs) {
			if (sentAtMs < changedAtMs) return false
			isProbing = false
			if (kind !== null) return false
			if (failure === 'silent' && ++failures < FAILURES_TO_OPEN) return false
			kind = failure
			failures = 0
			probes = 0
			changedAtMs = now()
			askedAtMs = now()
			probeAtMs = now() + PROBE_INTERVAL_MS
			if (failure === 'silent') origin.failing.add(breaker)
			return true
		},
		outage: () => kind,
		waitMs: () => Math.max(0, waitMs()),
	}
	return breaker
}

function probeIntervalMs(probes: number): number {
	return Math.min(MAX_PROBE_INTERVAL_MS, PROBE_INTERVAL_MS * SLOWING ** Math.max(0, probes - PROBES_BEFORE_SLOWING))
}

/** With every sender down, one probe at a time asks for all of them. */
function isDownForAll({ failing, succeededAtMs }: Origin, nowMs: number): boolean {
	return failing.size >= SENDERS_TO_OPEN && nowMs - succeededAtMs > DOWN_AFTER_MS
}
