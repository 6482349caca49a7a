import { Box, Popover } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { chatPaths } from '#features/chats/paths.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { TargetElsewhere } from '#lib/web/ui/layout/target-elsewhere.tsx'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import type { notifications, NotificationRow } from '../contract.ts'
import { notificationPaths } from '../paths.ts'
import { NotificationText } from './notification-text.tsx'
import { useMarkRead } from './use-mark-read.ts'
import { WaitingChats } from './waiting-chats.tsx'
import styles from './newest.module.css'
import listStyles from './rows.module.css'

/** Number of notifications in the popover; unread ones of the newest page are shown in any case. */
const SHOWN = 5

interface NewestProps {
	/** Id of the bell. The list's id is derived from it. */
	id: string
	bell: RefObject<HTMLElement | null>
	/** The bell's query, passed on so that the list is not fetched twice. */
	list: UseQueryResult<ResponseOut<typeof notifications.list>>
	opened: boolean
	onClose: () => void
}

/** Renders the bell's popover with the newest notifications. Opening it marks them as read. */
export function Newest({ id, bell, list, opened, onClose }: NewestProps) {
	useMarkRead(opened && (list.data?.unread ?? 0) > 0)
	const isManager = useMay('manager')
	const chats = list.data?.chats
	return (
		<Popover
			id={id}
			opened={useSeenOpening(opened)}
			onChange={(next) => !next && onClose()}
			width={360}
			position="bottom-end"
			trapFocus
		>
			<Popover.Target>
				<TargetElsewhere of={bell} />
			</Popover.Target>
			<Popover.Dropdown p={0} maw="calc(100vw - 32px)" style={{ overflow: 'hidden' }} aria-label="Notifications">
				<div className={styles.rows}>
					<WaitingChats chats={chats} onFollow={onClose} />
					{(isManager || !chats?.count) && (
						<Rows
							heading={chats?.count ? 'Notifications' : null}
							rows={list.data?.notifications.filter(({ unread }, index) => unread || index < SHOWN)}
							empty={isManager ? 'No notifications yet' : 'No customer waits for an answer'}
							onFollow={onClose}
						>
							{list.isError ? <MissingPart message="Failed to fetch notifications." readings={[list]} /> : 'Loading...'}
						</Rows>
					)}
				</div>
				<Link className={styles.all} to={isManager ? notificationPaths.list : chatPaths.live} onClick={onClose}>
					{isManager ? 'View all notifications' : 'View all chats'}
				</Link>
			</Popover.Dropdown>
		</Popover>
	)
}

interface RowsProps {
	/** Heading of the list; null where it is the only one. */
	heading: string | null
	rows: NotificationRow[] | undefined
	/** Text of a list without rows. */
	empty: string
	/** Content of the list: a placeholder until the rows have loaded. */
	children: ReactNode
	onFollow: () => void
}

function Rows({ heading, rows, empty, children, onFollow }: RowsProps) {
	if (!rows)
		return (
			<Box p={16} c="dimmed">
				{children}
			</Box>
		)
	if (rows.length === 0) return <EmptyState title={empty} />
	return (
		<>
			{heading && <p className={listStyles.heading}>{heading}</p>}
			<ul className={`bare ${listStyles.list}`}>
				{rows.map((row) => (
					<li key={row.id}>
						<NotificationText row={row} onFollow={onFollow} />
						{row.result && <span className="fine">{row.result}</span>}
						<span className="fine">
							<DateTime iso={row.time} as="relative" />
						</span>
					</li>
				))}
			</ul>
		</>
	)
}
