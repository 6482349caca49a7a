const TICK_MS = 10

export interface Timed {
	fire(): void
}

/**
 * Runs tasks after a delay, in buckets of a few milliseconds behind a single timer. A million messages waiting for their next
 * status cost a million array slots instead of a million timers.
 */
export class TimeWheel {
	readonly #tickMs: number
	readonly #buckets = new Map<number, Timed[]>()
	#nextTick = 0
	#timer: NodeJS.Timeout | null = null
	#size = 0

	constructor(tickMs = TICK_MS) {
		this.#tickMs = tickMs
	}

	get size(): number {
		return this.#size
	}

	after(delayMs: number, task: Timed): void {
		const now = performance.now()
		if (this.#size === 0) this.#nextTick = Math.floor(now / this.#tickMs)
		const tick = Math.max(Math.ceil((now + delayMs) / this.#tickMs), this.#nextTick)
		const bucket = this.#buckets.get(tick)
		if (bucket) bucket.push(task)
		else this.#buckets.set(tick, [task])
		this.#size++
		this.#timer ??= setTimeout(() => this.#run(), this.#tickMs)
	}

	run(delayMs: number, task: () => void): void {
		this.after(delayMs, { fire: task })
	}

	clear(): void {
		if (this.#timer) clearTimeout(this.#timer)
		this.#timer = null
		this.#buckets.clear()
		this.#size = 0
	}

	#run(): void {
		this.#timer = null
		const last = Math.floor(performance.now() / this.#tickMs)
		while (this.#nextTick <= last && this.#size > 0) {
			const tick = this.#nextTick++
			const bucket = this.#buckets.get(tick)
			if (!bucket) continue
			this.#buckets.delete(tick)
			for (const task of bucket) task.fire()
			this.#size -= bucket.length
		}
		if (this.#size > 0) this.#timer ??= setTimeout(() => this.#run(), this.#tickMs)
	}
}
