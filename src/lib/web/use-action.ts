import { useRef, useState } from 'react'

type Act = () => unknown

/** Runs one action at a time, ignores further calls while busy, and treats a failure without `failed` as a bug. */
export function useAction(): { busy: boolean; run: (act: Act, failed?: (error: unknown) => void) => void } {
	const [busy, setBusy] = useState(false)
	const running = useRef(false)
	const run = async (act: Act, failed?: (error: unknown) => void) => {
		if (running.current) return
		running.current = true
		setBusy(true)
		try {
			await act()
		} catch (error) {
			if (!failed) throw error
			failed(error)
		} finally {
			running.current = false
			setBusy(false)
		}
	}
	return { busy, run: (act, failed) => void run(act, failed) }
}
