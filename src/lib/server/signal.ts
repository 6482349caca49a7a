/** Wakes one waiter. A notification without a waiter is kept for the next one, so that none is missed. */
export interface Signal {
	notify(): void
	/** Resolves at the next notification, or after this many milliseconds. */
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
