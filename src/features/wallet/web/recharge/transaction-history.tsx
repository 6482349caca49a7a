import { useQuery } from '@tanstack/react-query'
import { USER_SORTS, users, type UserRow } from '#features/users/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ExpandButton } from '#lib/web/ui/table/expand-button.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { emailColumn, nameColumn, serialColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { useOpenRows, type OpenRows } from '#lib/web/ui/table/use-open-rows.ts'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { OnlinePaymentsLink } from './online-payments-link.tsx'
import { UserRecharges } from './user-recharges.tsx'

export function TransactionHistory() {
	const shown = useListPage()
	const { open, toggle } = useOpenRows()
	const { sort, order, tableSort } = useSort(USER_SORTS, { sort: 'createdAt', order: 'desc' })
	const list = useQuery(paged(users.list, { query: { ...shown.query, sort, order } }))
	const before = ((list.data?.page ?? shown.page) - 1) * PAGE_SIZE

	return (
		<>
			<PageHeader title="Transaction History" hint="The recharges of each user." actions={<OnlinePaymentsLink />} />
			<ListCard
				shown={shown}
				searchFor="Search by name or email"
				label="Users"
				query={list}
				rows={list.data?.users}
				pages={list.data?.pages}
				rowKey={({ _id }) => _id}
				columns={columnsFor({ before, open, toggle })}
				expanded={rechargesOf(open)}
				sort={tableSort()}
				empty={<EmptyState title={shown.search ? 'No users match your search' : 'No users yet'} />}
				failed="Failed to fetch users"
			/>
		</>
	)
}

interface Rows extends OpenRows {
	/** Number of users on the preceding pages. */
	before: number
}

function columnsFor({ before, open, toggle }: Rows): Column<UserRow>[] {
	return [
		serialColumn(before),
		{ ...nameColumn, sort: { key: 'name', kind: 'text' } },
		emailColumn,
		{
			header: 'Transactions',
			cell: ({ _id, name }) => (
				<ExpandButton expanded={open.has(_id)} label={`Transactions of ${name}`} onClick={() => toggle(_id)} />
			),
			align: 'right',
			width: '140px',
			narrow: 'corner',
		},
	]
}

const rechargesOf = (open: ReadonlySet<string>) => (user: UserRow) =>
	open.has(user._id) ? <UserRecharges user={user} /> : null
