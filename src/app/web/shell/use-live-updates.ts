import { useEffect } from 'react'
import type { LiveEvent } from '#lib/live.ts'
import { openLive, subscribe } from '#lib/web/live.ts'
import { invalidate, queryClient } from '#lib/web/query.ts'

/** Refetches data on live events while a user is signed in, at most once a second, as a running campaign sends many. */
export function useLiveUpdates(): void {
	useEffect(() => {
		const waiting = new Set<LiveEvent['kind']>()
		let timer: ReturnType<typeof setTimeout> | undefined
		const unsubscribe = subscribe(({ kind }) => {
			waiting.add(kind)
			timer ??= setTimeout(() => {
				timer = undefined
				const kinds = [...waiting]
				waiting.clear()
				void fetchAnew(kinds)
			}, 1000)
		})
		const closeLive = openLive(() => void queryClient.invalidateQueries())
		return () => {
			clearTimeout(timer)
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
