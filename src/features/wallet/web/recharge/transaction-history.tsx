import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { USER_SORTS, users, type UserRow } from '#features/users/contract.ts'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { ExpandButton } from '#lib/web/ui/table/expand-button.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { SearchBox } from '#lib/web/ui/table/search-box.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { UserRecharges } from './user-recharges.tsx'

export function TransactionHistory() {
	const [page, setPage] = usePage()
	const [search, setSearch] = useSearchText()
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
	const { sort, order, tableSort } = useSort(USER_SORTS, { sort: 'createdAt', order: 'desc' })
	const list = useQuery(paged(users.list, { query: { page, limit: PAGE_SIZE, search, sort, order } }))
	const toggle = (id: string) => setOpen((old) => new Set(old).symmetricDifference(new Set([id])))
	const before = ((list.data?.page ?? page) - 1) * PAGE_SIZE

	return (
		<>
			<PageHeader title="Transaction History" hint="The recharges of each user." />
			<Card flush>
				<div className="toolbar">
					<SearchBox value={search} onSearch={setSearch} placeholder="Search by name or email" />
				</div>
				<DataTable
					label="Users"
					query={list}
					rows={list.data?.users}
					rowKey={({ _id }) => _id}
					columns={columnsFor({ before, open, toggle })}
					expanded={rechargesOf(open)}
					sort={tableSort()}
					empty={<EmptyState title={search ? 'No users match your search' : 'No users yet'} />}
					failed="Failed to fetch users"
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} />}
				/>
			</Card>
		</>
	)
}

interface Rows {
	/** Users on the pages before. */
	before: number
	open: ReadonlySet<string>
	toggle: (id: string) => void
}

function columnsFor({ before, open, toggle }: Rows): Column<UserRow>[] {
	return [
		{
			header: 'Sl',
			cell: (_, index) => <span className="figures">{before + index + 1}</span>,
			width: '64px',
			minWidth: 64,
			narrow: 'hidden',
		},
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
