import { useEffect, useState } from 'react'

/** Returns what `load` imports; undefined until it is there, and where it cannot be loaded. `load` is a constant of a module. */
export function useLoaded<T extends object>(load: () => Promise<T>): T | undefined {
	const [loaded, setLoaded] = useState<T>()
	useEffect(() => {
		let isGone = false
		void load().then(
			(module) => !isGone && setLoaded(module),
			() => undefined,
		)
		return () => {
			isGone = true
		}
	}, [load])
	return loaded
}
