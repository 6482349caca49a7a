/** Wakes one waiter. A `wake` without a waiter is stored for the next one. */
export interface Signal {
	wake(): void
	/** Resolves at the next `wake`, or after `timeoutMs`. */
	wait(timeoutMs: number): Promise<void>
}

export function createSignal(): Signal {
	let isWoken = false
	let waiter: (() => void) | null = null
	return {
		wake() {
			isWoken = true
			waiter?.()
		},
		wait(timeoutMs) {
			return new Promise((resolve) => {
				const done = () => {
					clearTimeout(timer)
					waiter = null
					isWoken = false
					resolve()
				}
				const timer = setTimeout(done, timeoutMs)
				waiter = done
				if (isWoken) done()
			})
		},
	}
}
