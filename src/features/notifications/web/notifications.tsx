import { useQuery } from '@tanstack/react-query'
import { paged } from '#lib/web/query.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { DateTime } from '#lib/web/ui/date-time.tsx'
import { EmptyState } from '#lib/web/ui/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/page-header.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { usePage } from '#lib/web/ui/use-page.ts'
import { notifications, type NotificationRow } from '../contract.ts'
import { NotificationText } from './notification-text.tsx'
import { useMarkRead } from './use-mark-read.ts'

const columns: Column<NotificationRow>[] = [
	{ header: 'Notification', cell: (row) => <NotificationText row={row} />, narrow: 'title' },
	{ header: 'Time', cell: ({ time }) => <DateTime iso={time} as="relative" />, align: 'right', narrow: 'under' },
]

export function NotificationList() {
	const [page, setPage] = usePage()
	const list = useQuery(paged(notifications.list, { query: { page } }))
	useMarkRead((list.data?.unread ?? 0) > 0)
	return (
		<>
			<PageHeader title="Notifications" />
			<Card flush>
				<DataTable
					label="Notifications"
					query={list}
					rows={list.data?.notifications}
					rowKey={(row) => row.id}
					columns={columns}
					empty={<EmptyState title="No notifications yet" />}
					failed="Failed to fetch notifications"
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
		</>
	)
}
