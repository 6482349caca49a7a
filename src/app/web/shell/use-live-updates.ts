import { useEffect } from 'react'
import type { LiveEvent } from '#lib/live.ts'
import { openLive, subscribe } from '#lib/web/live.ts'
import { invalidate, queryClient } from '#lib/web/query.ts'

/** Keeps what is on screen up to date for as long as somebody is signed in. A running campaign reports often: once a second is enough. */
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
	const { AFFECTED } = await import('./live-effects.ts')
	await invalidate(...kinds.flatMap((kind) => AFFECTED[kind]))
}
