import { useEffect } from 'react'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { notifications } from '../contract.ts'

const SEEN_AFTER_MS = 1500

/** While `showing`: what has been in view for a moment counts as read. A failure shows again as unread, which is the truth. */
export function useMarkRead(showing: boolean): void {
	useEffect(() => {
		if (!showing) return
		const timer = setTimeout(() => {
			call(notifications.markRead)
				.then(() => invalidate(notifications.list))
				.catch(() => {})
		}, SEEN_AFTER_MS)
		return () => clearTimeout(timer)
	}, [showing])
}
