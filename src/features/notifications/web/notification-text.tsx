import { withoutOverrides } from '#lib/text/bidi.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { NotificationRow } from '../contract.ts'
import styles from './notification-text.module.css'

interface NotificationTextProps {
	row: Pick<NotificationRow, 'text' | 'unread' | 'link'>
	onFollow?: () => void
}

/** Renders a notification's text, as a link when it has one, with a dot while it is unread. */
export function NotificationText({ row: { text, unread, link }, onFollow }: NotificationTextProps) {
	const words = withoutOverrides(text)
	return (
		<span className={styles.text} data-unread={unread}>
			{link ? (
				<Link to={link} onClick={onFollow}>
					{words}
				</Link>
			) : (
				words
			)}
			{unread && <span className={styles.dot} role="img" aria-label="Unread" />}
		</span>
	)
}
