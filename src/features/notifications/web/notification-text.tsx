import { Link } from 'react-router'
import type { NotificationRow } from '../contract.ts'
import styles from './notification-text.module.css'

interface NotificationTextProps {
	row: NotificationRow
	onFollow?: () => void
}

/** What happened, as a link where there is something to see; a dot while it is unread. */
export function NotificationText({ row: { text, unread, link }, onFollow }: NotificationTextProps) {
	return (
		<span className={styles.text} data-unread={unread}>
			{link ? (
				<Link to={link} onClick={onFollow}>
					{text}
				</Link>
			) : (
				text
			)}
			{unread && <span className={styles.dot} role="img" aria-label="Unread" />}
		</span>
	)
}
