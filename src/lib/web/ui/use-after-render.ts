import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Returns a function that calls `act` with its argument after the next render. Call it together with a change of state, for
 * example to focus an element that the change shows.
 */
export function useAfterRender<T>(act: (value: T) => void): (value: T) => void {
	const [asked, setAsked] = useState<{ value: T } | null>(null)
	const run = useEffectEvent(act)
	useEffect(() => {
		if (asked) run(asked.value)
	}, [asked])
	return (value) => setAsked({ value })
}
