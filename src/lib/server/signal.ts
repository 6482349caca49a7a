/** Wakes one waiter. A notification that comes while nobody waits is kept, so that it is never missed. */
export interface Signal {
	notify(): void
	/** Resolves at the next notification, or after so many milliseconds. */
	wait(timeoutMs: number): Promise<void>
}

export function createSignal(): Signal {
	let isNotified = false
	let waiter: (() => void) | null = null
	return {
		notify() {
			isNotified = true
			waiter?.()
		},
		wait(timeoutMs) {
			return new Promise((resolve) => {
				const done = () => {
					clearTimeout(timer)
					waiter = null
					isNotified = false
					resolve()
				}
				const timer = setTimeout(done, timeoutMs)
				waiter = done
				if (isNotified) done()
			})
		},
	}
}
