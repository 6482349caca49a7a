import { Button, Group } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PAGE_SIZE } from '#lib/fields.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { emailColumn, serialColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { useSort } from '#lib/web/ui/table/use-sort.ts'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { USER_SORTS, users, type UserRow } from '../contract.ts'
import { userPaths } from '../paths.ts'
import { AccountBadge } from './account-badge.tsx'
import { updateRow } from './manage/user-rows.ts'

/** Applies the server's answer about a balance to the rows on screen without fetching them again. */
export function replaceBalance(userId: string, walletBalance: number): void {
	updateRow(userId, { walletBalance })
}

/** Renders the missing parts of a user's set-up. `listed` has all users of the page, whose set-ups are loaded together. */
export type MissingOf = (user: UserRow, listed: readonly UserRow[]) => ReactNode

interface UserTableProps {
	/** Column with the actions on each user. */
	actions: Column<UserRow>
	/** Id of a user whose row has just changed. */
	highlight?: string | null
	/** Renders the line below the name. */
	missingOf?: MissingOf
}

/** Renders a table of users, ten a page, searchable by name or email. Page and search are part of the address. */
export function UserTable({ actions, highlight = null, missingOf }: UserTableProps) {
	const shown = useListPage()
	const { sort, order, tableSort } = useSort(USER_SORTS, { sort: 'createdAt', order: 'desc' })
	const list = useQuery(paged(users.list, { query: { ...shown.query, sort, order } }))
	const listed = list.data?.users
	const before = ((list.data?.page ?? shown.page) - 1) * PAGE_SIZE
	return (
		<ListCard
			shown={shown}
			searchFor="Search by name or email"
			label="Users"
			query={list}
			rows={listed}
			pages={list.data?.pages}
			rowKey={(user) => user._id}
			columns={[...columnsFrom(before, (user) => missingOf?.(user, listed ?? [])), actions]}
			highlight={highlight}
			sort={tableSort()}
			empty={<NoUsers search={shown.search} onClear={() => shown.setSearch('')} />}
			failed="Failed to fetch users"
		/>
	)
}

function columnsFrom(before: number, underName: (user: UserRow) => ReactNode): Column<UserRow>[] {
	return [
		serialColumn(before),
		{
			header: 'Name',
			cell: (user) => (
				<Stacked under={underName(user)}>
					<Name user={user} />
				</Stacked>
			),
			sort: { key: 'name', kind: 'text' },
			narrow: 'title',
		},
		emailColumn,
		{
			header: 'Wallet Balance',
			cell: ({ walletBalance }) => <Money rupees={walletBalance} />,
			align: 'right',
			sort: { key: 'walletBalance', kind: 'number' },
			width: '160px',
			minWidth: 150,
			narrow: 'corner',
		},
	]
}

/** Renders the name, with badges for unusual roles and states only. */
function Name({ user: { name, role, isActive } }: { user: UserRow }) {
	return (
		<Group component="span" display="inline-flex" gap="2px 8px" fw={600}>
			<TwoLines text={name} />
			{role === 'admin' && <ToneBadge tone="info" label="Admin" />}
			{!isActive && <AccountBadge isActive={false} />}
		</Group>
	)
}

function NoUsers({ search, onClear }: { search: string; onClear: () => void }) {
	if (!search)
		return (
			<EmptyState
				title="No users yet"
				hint="Accounts you create appear here."
				action={
					<Button component={Link} to={userPaths.create} variant="default">
						Create User
					</Button>
				}
			/>
		)
	return (
		<EmptyState
			title="No users match your search"
			hint={`No name or email contains “${search}”.`}
			icon={<IconUserSearch size={32} stroke={1.5} aria-hidden />}
			action={
				<Button variant="default" onClick={onClear}>
					Clear search
				</Button>
			}
		/>
	)
}
