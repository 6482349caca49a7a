import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Returns a function that calls `act` with its argument once the state set beside it is on screen, such as to focus an element that
 * this state shows.
 */
export function useAfterRender<T>(act: (value: T) => void): (value: T) => void {
	const [asked, setAsked] = useState<{ value: T } | null>(null)
	const run = useEffectEvent(act)
	useEffect(() => {
		if (asked) run(asked.value)
	}, [asked])
	return (value) => setAsked({ value })
}
