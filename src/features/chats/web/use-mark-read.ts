import { useEffect, useState } from 'react'
import { markRead } from './chat-queries.ts'
import type { Conversation } from './merge.ts'

/** Marks an open chat as read: when it has loaded, and at each new message while the page is visible. */
export function useMarkRead(number: string, conversation: Conversation | undefined): void {
	const isVisible = useVisible()
	const newest = conversation?.messages.findLast(({ from }) => from === 'other')?.id ?? ''
	const seen = conversation && isVisible ? newest : null
	useEffect(() => {
		if (seen !== null) void markRead(number)
	}, [number, seen])
}

function useVisible(): boolean {
	const [isVisible, setIsVisible] = useState(() => document.visibilityState === 'visible')
	useEffect(() => {
		const look = () => setIsVisible(document.visibilityState === 'visible')
		document.addEventListener('visibilitychange', look)
		return () => document.removeEventListener('visibilitychange', look)
	}, [])
	return isVisible
}
