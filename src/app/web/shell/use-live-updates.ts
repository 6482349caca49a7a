import { useEffect } from 'react'
import type { LiveEvent } from '#lib/live.ts'
import { openLive, refreshOn } from '#lib/web/live.ts'
import { invalidate, invalidateAll } from '#lib/web/query.ts'

/** Milliseconds between refreshes: a running campaign sends many events. */
const MIN_INTERVAL_MS = 1000

/** Refetches data on live events while a user is signed in. */
export function useLiveUpdates(): void {
	useEffect(() => {
		const unsubscribe = refreshOn(
			({ kind }) => kind !== 'typing',
			MIN_INTERVAL_MS,
			(events) => fetchAnew([...new Set(events.map(({ kind }) => kind))]),
		)
		const closeLive = openLive(() => void invalidateAll())
		return () => {
			unsubscribe()
			closeLive()
		}
	}, [])
}

/**
 * Refetches the queries that events of these kinds affect. The list of queries is a separate chunk, since it imports
 * every feature's calls and the first paint does not need it.
 */
async function fetchAnew(kinds: LiveEvent['kind'][]): Promise<void> {
	const effects = await import('./live-effects.ts').catch(() => null)
	// When the chunk fails to load, for example without a network, everything is refetched once the network returns.
	if (!effects) return invalidateAll()
	await invalidate(...kinds.flatMap((kind) => effects.AFFECTED[kind]))
}
