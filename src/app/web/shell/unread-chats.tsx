import { useQuery } from '@tanstack/react-query'
import { notifications } from '#features/notifications/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { selfRetrying, query } from '#lib/web/query.ts'
import styles from './menu/sidebar.module.css'

/** Renders the number of chats with unread messages, which the bell's query contains; nothing for 0. */
export function UnreadChats() {
	const count = useQuery(selfRetrying(query(notifications.list))).data?.chats?.count
	if (!count) return null
	return (
		<span className={`unread-count ${styles.count}`}>
			{formatCount(count)}
			<span className="visually-hidden"> unread</span>
		</span>
	)
}
