import { useEffect } from 'react'
import { subscribe } from '#lib/web/live.ts'
import { refreshChats } from './chat-queries.ts'

/** At least this long between two refreshes, as replies to a campaign can arrive many a second. */
const MIN_INTERVAL_MS = 400

/** Refreshes chats on live updates: at once, then at most every `MIN_INTERVAL_MS`. */
export function useChatUpdates(): void {
	useEffect(() => {
		const changed = new Set<string>()
		const closed = new AbortController()
		let isRunning = false
		const run = async () => {
			isRunning = true
			// One refresh at a time: each would cancel the one before, and under constant updates none would finish.
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
