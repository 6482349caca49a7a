import type { ReactNode } from 'react'
import { chatPaths } from '#features/chats/paths.ts'
import { plural } from '#lib/numbers.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { WaitingChats as Waiting } from '../contract.ts'
import { NotificationText } from './notification-text.tsx'
import styles from './rows.module.css'

interface WaitingChatsProps {
	chats: Waiting | undefined
	/** True to leave out chats that were read and not answered. */
	isUnread?: boolean
	onFollow?: () => void
	/** Heading of the list that follows. */
	children?: ReactNode
}

/** Renders the chats whose customers wait for an answer, one line for each; a chat leaves the list when it is answered. */
export function WaitingChats({ chats, isUnread = false, onFollow, children }: WaitingChatsProps) {
	if (!chats) return null
	const rows = isUnread ? chats.rows.filter(({ unread }) => unread > 0) : chats.rows
	const more = (isUnread ? chats.unread : chats.count) - rows.length
	if (rows.length + more === 0) return null
	const moreUnread = chats.unread - rows.filter(({ unread }) => unread > 0).length
	return (
		<>
			<section aria-label="Customers who wait for an answer">
				<p className={styles.heading}>Waiting for your answer</p>
				<ul className={`bare ${styles.list}`}>
					{rows.map(({ link, name, unread, text, time }) => (
						<li key={link}>
							<NotificationText
								row={{
									text: `${name}: ${unread > 0 ? plural(unread, 'new message') : 'not answered yet'}`,
									unread: unread > 0,
									link,
								}}
								onFollow={onFollow}
							/>
							<UserText className="one-line fine" text={text} />
							<span className="fine">
								<DateTime iso={time} as="relative" />
							</span>
						</li>
					))}
					{more > 0 && (
						<li>
							<NotificationText
								row={{
									text: `${plural(more, 'more chat')} without an answer`,
									unread: moreUnread > 0,
									link: chatPaths.live,
								}}
								onFollow={onFollow}
							/>
						</li>
					)}
				</ul>
			</section>
			{children}
		</>
	)
}
