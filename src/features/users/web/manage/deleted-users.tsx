import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { users, type DeletedUserRow } from '#features/users/contract.ts'
import { paged } from '#lib/web/query.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'

/** Renders the download of a user's data, which another feature supplies. */
export type DataOf = (user: { _id: string; name: string }) => ReactNode

/** Lists deleted users whose data is not erased yet, with the day of the erasure. Renders nothing without any. */
export function DeletedUsers({ dataOf }: { dataOf: DataOf }) {
	const [page, setPage] = useState(1)
	const list = useQuery(paged(users.deleted, { query: { page } }))
	if (!list.error && (!list.data || (list.data.users.length === 0 && page === 1))) return null
	return (
		<Card flush title="Deleted users" hint="They cannot sign in. Their data can be downloaded until it is erased.">
			<DataTable
				label="Deleted users"
				query={list}
				rows={list.data?.users}
				rowKey={(user) => user._id}
				columns={[...columns, { header: 'Data', cell: dataOf, align: 'right', narrow: 'actions' }]}
				empty={null}
				failed="Failed to fetch deleted users"
				footer={
					<Pager label="Pages of deleted users" page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />
				}
			/>
		</Card>
	)
}

const columns: Column<DeletedUserRow>[] = [
	nameColumn,
	emailColumn,
	{ header: 'Deleted on', cell: ({ deletedAt }) => <DateTime iso={deletedAt} as="day" /> },
	{
		header: 'Kept until',
		cell: ({ erasedFrom }) => (erasedFrom === null ? 'For ever' : <DateTime iso={erasedFrom} as="day" />),
	},
]
