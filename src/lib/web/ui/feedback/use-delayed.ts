import { useEffect, useState } from 'react'

/** True once `waiting` has lasted for a moment, so that a fast answer never flashes a skeleton. */
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
