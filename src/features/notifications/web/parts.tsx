import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { selfRetrying, query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { notifications, type NotificationRow } from '../contract.ts'
import { notificationPaths } from '../paths.ts'
import { NotificationText } from './notification-text.tsx'
import { useMarkRead } from './use-mark-read.ts'
import styles from './notification-bell.module.css'

/** The header button with the number of unread notifications, and the newest of them. Seeing them makes them read. */
export function NotificationBell() {
	const list = useQuery(selfRetrying(query(notifications.list)))
	const [opened, { toggle, close }] = useDisclosure(false)
	const unread = list.data?.unread ?? 0
	useMarkRead(opened && unread > 0)
	return (
		<Popover opened={opened} onChange={(next) => !next && close()} width={360} position="bottom-end" trapFocus>
			<Indicator
				label={unread > 99 ? '99+' : unread}
				disabled={unread === 0}
				size={18}
				offset={5}
				color="red"
				classNames={{ indicator: styles.count }}
			>
				<Popover.Target>
					<ActionIcon
						variant="subtle"
						color="gray"
						size="var(--app-control)"
						aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
						onClick={toggle}
					>
						<IconBell size={22} stroke={1.7} aria-hidden />
					</ActionIcon>
				</Popover.Target>
			</Indicator>
			<Popover.Dropdown className={styles.dropdown} aria-label="Notifications">
				<Newest rows={list.data?.notifications.slice(0, 5)} onFollow={close}>
					{list.isError ? <MissingPart message="Failed to fetch notifications." readings={[list]} /> : 'Loading...'}
				</Newest>
				<Link className={styles.all} to={notificationPaths.list} onClick={close}>
					View all notifications
				</Link>
			</Popover.Dropdown>
		</Popover>
	)
}

interface NewestProps {
	rows: NotificationRow[] | undefined
	/** Stands there until the rows are known. */
	children: ReactNode
	onFollow: () => void
}

function Newest({ rows, children, onFollow }: NewestProps) {
	if (!rows) return <div className={styles.note}>{children}</div>
	if (rows.length === 0) return <EmptyState title="No notifications yet" />
	return (
		<ul className={styles.list}>
			{rows.map((row) => (
				<li key={row.id}>
					<NotificationText row={row} onFollow={onFollow} />
					<span className={styles.time}>
						<DateTime iso={row.time} as="relative" />
					</span>
				</li>
			))}
		</ul>
	)
}
