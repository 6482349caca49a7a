/** Wakes one waiter. A call of `wake` without a waiter is kept for the next one, so that none is missed. */
export interface Signal {
	wake(): void
	/** Resolves at the next `wake`, or after this many milliseconds. */
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
