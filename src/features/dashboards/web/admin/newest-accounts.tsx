import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { users, type UserRow } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { query } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'

const NEWEST = 5

export function NewestAccounts() {
	const newest = useQuery(query(users.list, { query: { limit: NEWEST } }))
	return (
		<Card title="Newest accounts" flush actions={<Link to={userPaths.manage}>View all</Link>}>
			<DataTable
				label="Newest accounts"
				query={{ ...newest, isPlaceholderData: false }}
				rows={newest.data?.users}
				rowKey={(user) => user._id}
				columns={columns}
				empty={<EmptyState title="No users yet" />}
				failed="Failed to fetch users"
			/>
		</Card>
	)
}

const columns: Column<UserRow>[] = [
	nameColumn,
	emailColumn,
	{ header: 'Created', cell: ({ createdAt }) => <DateTime iso={createdAt} as="relative" />, narrow: 'pair' },
	{
		header: 'Wallet Balance',
		cell: ({ walletBalance }) => <Money rupees={walletBalance} />,
		align: 'right',
		narrow: 'corner',
	},
]
