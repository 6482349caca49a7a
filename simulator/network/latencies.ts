/** The latency of a send, uniformly distributed between the two. */
export interface Latency {
	minMs: number
	maxMs: number
}

const NONE: Latency = { minMs: 0, maxMs: 0 }

/** The latency of each number, which is the common one unless it has its own. */
export class Latencies {
	#common = NONE
	readonly #own = new Map<string, Latency>()

	set(phoneNumberId: string | null, latency: Latency): void {
		const { minMs, maxMs } = latency
		if (!(minMs >= 0 && maxMs >= minMs)) throw new Error(`No latency from ${minMs} to ${maxMs} ms`)
		if (phoneNumberId === null) this.#common = { minMs, maxMs }
		else this.#own.set(phoneNumberId, { minMs, maxMs })
	}

	drawMs(phoneNumberId: string): number {
		const { minMs, maxMs } = this.#own.get(phoneNumberId) ?? this.#common
		return minMs + Math.random() * (maxMs - minMs)
	}

	clear(): void {
		this.#common = NONE
		this.#own.clear()
	}
}
