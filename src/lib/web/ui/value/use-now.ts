import { useEffect, useState } from 'react'

/** The present, by the minute; stands still when nobody needs it. */
export function useNow(ticking = true): number {
	const [now, setNow] = useState(Date.now)
	useEffect(() => {
		if (!ticking) return
		const timer = setInterval(() => setNow(Date.now()), 60_000)
		return () => clearInterval(timer)
	}, [ticking])
	return now
}
