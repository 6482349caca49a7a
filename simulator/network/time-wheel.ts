const TICK_MS = 10

export interface Timed {
	fire(): void
}

/**
 * Runs tasks after a delay, in buckets of ten milliseconds behind a single timer: a million messages that wait
 * for their next status cost a million array slots, not a million timers.
 */
export class TimeWheel {
	readonly #buckets = new Map<number, Timed[]>()
	#nextTick = 0
	#timer: NodeJS.Timeout | null = null
	#size = 0

	get size(): number {
		return this.#size
	}

	after(delayMs: number, task: Timed): void {
		const now = performance.now()
		if (this.#size === 0) this.#nextTick = Math.floor(now / TICK_MS)
		const tick = Math.max(Math.ceil((now + delayMs) / TICK_MS), this.#nextTick)
		const bucket = this.#buckets.get(tick)
		if (bucket) bucket.push(task)
		else this.#buckets.set(tick, [task])
		this.#size++
		this.#timer ??= setTimeout(() => this.#run(), TICK_MS)
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
		const last = Math.floor(performance.now() / TICK_MS)
		while (this.#nextTick <= last && this.#size > 0) {
			const tick = this.#nextTick++
			const bucket = this.#buckets.get(tick)
			if (!bucket) continue
			this.#buckets.delete(tick)
			for (const task of bucket) task.fire()
			this.#size -= bucket.length
		}
		if (this.#size > 0) this.#timer ??= setTimeout(() => this.#run(), TICK_MS)
	}
}
