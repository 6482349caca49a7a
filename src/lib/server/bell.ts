/** Wakes one waiter. A ring that comes while nobody waits is kept, so that it is never missed. */
export interface Bell {
	ring(): void
	/** Resolves at the next ring, or after so many milliseconds. */
	wait(timeoutMs: number): Promise<void>
}

export function createBell(): Bell {
	let rung = false
	let waiter: (() => void) | null = null
	return {
		ring() {
			rung = true
			waiter?.()
		},
		wait(timeoutMs) {
			return new Promise((resolve) => {
				const done = () => {
					clearTimeout(timer)
					waiter = null
					rung = false
					resolve()
				}
				const timer = setTimeout(done, timeoutMs)
				waiter = done
				if (rung) done()
			})
		},
	}
}
