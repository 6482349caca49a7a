import { Box, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { paged } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { NotificationFilter, notifications, type NotificationRow } from '../contract.ts'
import { NotificationText } from './notification-text.tsx'
import { markAllRead } from './use-mark-read.ts'
import { WaitingChats } from './waiting-chats.tsx'
import styles from './rows.module.css'

const columns: Column<NotificationRow>[] = [
	{
		header: 'Notification',
		cell: (row) => (
			<>
				<NotificationText row={row} />
				{row.result && (
					<Text className="fine" fw={400}>
						{row.result}
					</Text>
				)}
			</>
		),
		minWidth: 320,
		narrow: 'title',
	},
	{ header: 'Time', cell: ({ time }) => <DateTime iso={time} as="relative" />, align: 'right', narrow: 'under' },
]

const FILTERS = [
	{ value: '', label: 'All' },
	{ value: 'unread', label: 'Unread' },
	{ value: 'campaigns', label: 'Campaigns' },
	{ value: 'templates', label: 'Templates' },
	{ value: 'money', label: 'Payments' },
]

/** Renders the account's notifications below the chats without an answer, with a filter and a button that marks all of them as read. */
export function NotificationList() {
	const [page, setPage] = usePage()
	const [wanted, setFilter] = useSearchText('filter')
	const filter = NotificationFilter.safeParse(wanted).data
	const list = useQuery(paged(notifications.list, { query: { page, filter } }))
	const unread = list.data?.unread ?? 0
	return (
		<>
			<PageHeader
				title="Notifications"
				actions={
					<ActionButton
						variant="default"
						disabled={unread === 0}
						leftSection={<IconChecks size={16} aria-hidden />}
						act={markAllRead}
						failed={(error) => toast.failure(error, 'Failed to mark the notifications as read')}
					>
						Mark all read
					</ActionButton>
				}
			/>
			<Card flush>
				<div className="toolbar">
					<FilterChips label="Kind of notification" value={filter ?? ''} options={FILTERS} onChange={setFilter} />
				</div>
				{page === 1 && (!filter || filter === 'unread') && (
					<WaitingChats chats={list.data?.chats} isUnread={filter === 'unread'}>
						<Box component="p" hiddenFrom="sm" className={styles.heading}>
							Notifications
						</Box>
					</WaitingChats>
				)}
				<DataTable
					label="Notifications"
					query={list}
					rows={list.data?.notifications}
					rowKey={(row) => row.id}
					columns={columns}
					empty={<EmptyState title={filter ? 'No notifications of this kind' : 'No notifications yet'} />}
					failed="Failed to fetch notifications"
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
		</>
	)
}
