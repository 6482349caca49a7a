import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { chats } from '#features/chats/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { refreshOn } from '#lib/web/live.ts'
import { invalidate, selfRetrying, query } from '#lib/web/query.ts'
import styles from './menu/sidebar.module.css'

/** Milliseconds between refreshes: during a campaign's replies events arrive faster than a count is read. */
const MIN_INTERVAL_MS = 1000

/** Renders the number of chats with unread messages; nothing for 0. */
export function UnreadChats() {
	const { data } = useQuery(selfRetrying(query(chats.contacts, { query: { limit: 1 } })))
	useEffect(
		() =>
			refreshOn(
				({ kind }) => kind === 'chat',
				MIN_INTERVAL_MS,
				() => invalidate(chats.contacts),
			),
		[],
	)
	if (!data?.unreadChats) return null
	return (
		<span className={`unread-count ${styles.count}`}>
			{formatCount(data.unreadChats)}
			<span className="visually-hidden"> unread</span>
		</span>
	)
}
