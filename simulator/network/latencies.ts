/** Range of the latency of a send; each send draws from it uniformly. */
export interface Latency {
	minMs: number
	maxMs: number
}

const NONE: Latency = { minMs: 0, maxMs: 0 }

/** Latencies by number. A number without a latency of its own has the common one. */
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
