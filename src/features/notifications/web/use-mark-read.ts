import { useEffect } from 'react'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { notifications } from '../contract.ts'

const SEEN_AFTER_MS = 1500

/** Marks notifications as read after a moment in view, while `showing`. After a failure they show as unread again. */
export function useMarkRead(showing: boolean): void {
	useEffect(() => {
		if (!showing) return
		const timer = setTimeout(() => {
			markAllRead().catch(() => {})
		}, SEEN_AFTER_MS)
		return () => clearTimeout(timer)
	}, [showing])
}

/** Marks all notifications of the account as read, and refreshes those on screen. */
export async function markAllRead(): Promise<void> {
	await call(notifications.markRead)
	await invalidate(notifications.list)
}
