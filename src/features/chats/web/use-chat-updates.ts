import { useEffect } from 'react'
import { subscribe } from '#lib/web/live.ts'
import { refreshChats } from './chat-queries.ts'

/** Under a campaign's replies, events come faster than anybody reads. */
const MIN_INTERVAL_MS = 400

/** Follows the server's word that a chat has changed: at once, and then as often as `MIN_INTERVAL_MS` allows. */
export function useChatUpdates(): void {
	useEffect(() => {
		const changed = new Set<string>()
		const closed = new AbortController()
		let isRunning = false
		const run = async () => {
			isRunning = true
			// One refresh at a time: cancelled for a newer one again and again, none would ever end.
			while (changed.size > 0 && !closed.signal.aborted) {
				const numbers = [...changed]
				changed.clear()
				await refreshChats(numbers.includes('') ? 'all' : numbers)
				await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS))
			}
			isRunning = false
		}
		const unsubscribe = subscribe(({ kind, id }) => {
			if (kind !== 'chat') return
			changed.add(id ?? '')
			if (!isRunning) void run()
		})
		return () => {
			closed.abort()
			unsubscribe()
		}
	}, [])
}
