import { useEffect, useState } from 'react'

/** Returns true once `waiting` has been true for `delayMs`, so that a fast answer shows no skeleton. */
export function useDelayed(waiting: boolean, delayMs = 150): boolean {
	const [late, setLate] = useState(false)
	useEffect(() => {
		if (!waiting) return
		const timer = setTimeout(() => setLate(true), delayMs)
		return () => {
			clearTimeout(timer)
			setLate(false)
		}
	}, [waiting, delayMs])
	return waiting && late
}
