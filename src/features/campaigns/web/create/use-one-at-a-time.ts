import { useRef, useState } from 'react'

/** Runs a step unless one is running already: a second press of the button does nothing. */
export function useOneAtATime(failed: (error: unknown) => void) {
	const [busy, setBusy] = useState(false)
	const running = useRef(false)
	const run = async (step: () => Promise<void>) => {
		if (running.current) return
		running.current = true
		setBusy(true)
		try {
			await step()
		} catch (error) {
			failed(error)
		} finally {
			running.current = false
			setBusy(false)
		}
	}
	return { busy, run }
}

export function focusOn(node: HTMLElement | null): void {
	node?.focus({ preventScroll: true })
	node?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
