import { ActionIcon, Indicator } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { selfRetrying, query } from '#lib/web/query.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { notifications } from '../contract.ts'
import styles from './notification-bell.module.css'

// Loaded separately, so that the bell renders before its list's code has arrived.
const Newest = latePart(() => import('./newest.tsx').then((module) => module.Newest))

/** Renders the header button with the number of unread notifications and chats, which opens the newest ones. */
export function NotificationBell() {
	const list = useQuery(selfRetrying(query(notifications.list)))
	const id = useId()
	const bell = useRef<HTMLButtonElement>(null)
	const [opened, { toggle, close }] = useDisclosure(false)
	const unread = (list.data?.unread ?? 0) + (list.data?.chats?.unread ?? 0)
	return (
		<>
			<Indicator
				label={unread > 99 ? '99+' : unread}
				disabled={unread === 0}
				size={18}
				offset={5}
				color="red"
				classNames={{ indicator: styles.count }}
			>
				<ActionIcon
					ref={bell}
					id={id}
					variant="subtle"
					color="gray"
					size="var(--app-control)"
					aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
					aria-haspopup="dialog"
					aria-expanded={opened}
					aria-controls={opened ? `${id}-dropdown` : undefined}
					onClick={toggle}
				>
					<IconBell size={22} stroke={1.7} aria-hidden />
				</ActionIcon>
			</Indicator>
			<Newest id={id} bell={bell} list={list} opened={opened} onClose={close} />
		</>
	)
}
