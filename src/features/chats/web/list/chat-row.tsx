import { Group } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { ChatContact } from '#features/chats/contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { relativeTime } from '#lib/web/relative-time.ts'
import { Link } from '#lib/web/router/link.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { Avatar } from '../avatar.tsx'
import { Ticks } from '../ticks.tsx'
import styles from './list.module.css'

interface ChatRowProps {
	contact: ChatContact
	/** URL of this chat. */
	to: string
	isSelected: boolean
	/** True for the one row in the tab order (roving tabindex). */
	isActive: boolean
	now: number
	/** True to replace the history entry, because another chat is open: Back then returns to the list. */
	replace: boolean
	onKeyDown: (event: KeyboardEvent) => void
}

export function ChatRow({ contact, to, isSelected, isActive, now, replace, onKeyDown }: ChatRowProps) {
	const { number, name, lastMessage, lastStatus, isLastFromPhone, lastAuthor, timestamp, unread, assignee, isClosed } =
		contact
	return (
		<Link
			className={styles.row}
			to={to}
			replace={replace}
			preventScrollReset
			aria-current={isSelected ? 'true' : undefined}
			tabIndex={isActive ? 0 : -1}
			data-number={number}
			onKeyDown={onKeyDown}
			data-unread={unread > 0}
		>
			<Avatar name={name} />
			<span className="grow">
				<Group component="span" gap={8} align="baseline" justify="space-between" wrap="nowrap">
					<b className="grow one-line">
						<UserText text={name} />
					</b>
					{timestamp && (
						<time className="fine figures" dateTime={timestamp} title={formatDateTime(timestamp)}>
							{relativeTime(timestamp, now)}
						</time>
					)}
				</Group>
				<Group component="span" gap={8} align="baseline" justify="space-between" wrap="nowrap">
					<Group component="span" className={`grow quiet ${styles.last}`} gap={4} wrap="nowrap">
						{lastStatus && <Ticks status={lastStatus} />}
						<UserText
							className="one-line"
							text={lastStatus || isLastFromPhone ? `${lastAuthor ?? 'You'}: ${lastMessage}` : lastMessage}
						/>
					</Group>
					{(isClosed || assignee) && (
						<span className={`fine one-line ${styles.holder}`}>
							{isClosed ? 'Closed' : <UserText text={assignee?.name ?? ''} />}
						</span>
					)}
					{unread > 0 && (
						<span className="unread-count">
							{formatCount(unread)}
							<span className="visually-hidden"> unread</span>
						</span>
					)}
				</Group>
			</span>
		</Link>
	)
}
