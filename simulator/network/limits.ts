import type { Phone } from '../state/accounts.ts'

const PER_SECOND = { STANDARD: 80, HIGH: 1_000 }
const PAIR_INTERVAL_MS = 6_000
const PAIR_BURST = 45

/** Enforces Meta's limits per number and per pair on the numbers whose settings ask for it. */
export class Limits {
	readonly #numbers = new Map<string, { tokens: number; at: number }>()
	// Time at which each pair's burst is fully restored. A later time means that more of the burst is used.
	readonly #pairs = new Map<string, number>()

	/** Returns the error code for a send, or null if it is within the limits. */
	check(phone: Phone, to: string): 130429 | 131056 | null {
		if (phone.enforce_throughput && !this.#takeToken(phone)) return 130429
		if (phone.enforce_pair_limit && !this.#takePair(`${phone.id} ${to}`)) return 131056
		return null
	}

	clear(): void {
		this.#numbers.clear()
		this.#pairs.clear()
	}

	#takeToken(phone: Phone): boolean {
		const rate = PER_SECOND[phone.throughput]
		const now = performance.now()
		const bucket = this.#numbers.get(phone.id) ?? { tokens: rate, at: now }
		const tokens = Math.min(rate, bucket.tokens + ((now - bucket.at) / 1_000) * rate)
		this.#numbers.set(phone.id, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
		return tokens >= 1
	}

	#takePair(pair: string): boolean {
		const now = performance.now()
		const restAt = Math.max(this.#pairs.get(pair) ?? 0, now)
		if (restAt - now > PAIR_INTERVAL_MS * (PAIR_BURST - 1)) return false
		this.#pairs.set(pair, restAt + PAIR_INTERVAL_MS)
		return true
	}
}
