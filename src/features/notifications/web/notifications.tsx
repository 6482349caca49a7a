import { useQuery } from '@tanstack/react-query'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { notifications, type NotificationRow } from '../contract.ts'
import { NotificationText } from './notification-text.tsx'
import { useMarkRead } from './use-mark-read.ts'

const columns: Column<NotificationRow>[] = [
	{ header: 'Notification', cell: (row) => <NotificationText row={row} />, minWidth: 320, narrow: 'title' },
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
