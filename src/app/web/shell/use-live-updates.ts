import { useEffect } from 'react'
import type { LiveEvent } from '#lib/live.ts'
import { openLive, refreshOn } from '#lib/web/live.ts'
import { invalidate, queryClient } from '#lib/web/query.ts'

/** A running campaign sends many events. */
const MIN_INTERVAL_MS = 1000

/** Refetches data on live events while a user is signed in. */
export function useLiveUpdates(): void {
	useEffect(() => {
		const unsubscribe = refreshOn(
			() => true,
			MIN_INTERVAL_MS,
			(events) => fetchAnew([...new Set(events.map(({ kind }) => kind))]),
		)
		const closeLive = openLive(() => void queryClient.invalidateQueries())
		return () => {
			unsubscribe()
			closeLive()
		}
	}, [])
}

/** In a chunk of its own, as it knows the calls of every feature, and nothing on the first paint needs it. */
async function fetchAnew(kinds: LiveEvent['kind'][]): Promise<void> {
	const effects = await import('./live-effects.ts').catch(() => null)
	// If the chunk cannot be loaded, as when the network has just failed, everything is refetched once it is back.
	if (!effects) return queryClient.invalidateQueries()
	await invalidate(...kinds.flatMap((kind) => effects.AFFECTED[kind]))
}
