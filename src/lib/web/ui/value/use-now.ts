import { useEffect, useState } from 'react'

/** Returns the current time, updated every minute while `ticking`. */
export function useNow(ticking = true): number {
	const [now, setNow] = useState(Date.now)
	useEffect(() => {
		if (!ticking) return
		const timer = setInterval(() => setNow(Date.now()), 60_000)
		return () => clearInterval(timer)
	}, [ticking])
	return now
}
