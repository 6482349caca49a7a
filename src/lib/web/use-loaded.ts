import { useEffect, useState } from 'react'

/**
 * Returns the result of `load`; undefined until it resolves, and after a failure. `load` must be a module-level
 * constant.
 */
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
