import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auth } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { ADMIN_ACTION_TEXTS } from '#features/auth/rules.ts'
import { adminDashboards, type AdminStats } from '#features/dashboards/admin-contract.ts'
import { type UserRow, users } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { type Column, DataTable } from '#lib/web/ui/table/data-table.tsx'
import { emailColumn, nameColumn } from '#lib/web/ui/table/row/person-columns.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { AdminTiles } from './admin-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MonthMargin } from './month-margin.tsx'
import { WhatNeedsDoing } from './what-needs-doing.tsx'
import styles from './admin-dashboard.module.css'

const FAILED = 'Failed to fetch the statistics'

export function AdminDashboard() {
	// Polls every 30 seconds: no live event covers all accounts.
	const stats = useQuery({ ...query(adminDashboards.admin), staleTime: 0, refetchInterval: 30_000 })
	const { data } = stats
	const hasFailed = stats.isError && !data
	return (
		<>
			<PageHeader
				title="Admin Dashboard"
				actions={
					<Button component={Link} to={userPaths.create}>
						Create User
					</Button>
				}
			/>
			<div className="stack">
				{hasFailed ? (
					<Card>
						<LoadError message={messageOf(stats.error, FAILED)} reading={stats} />
					</Card>
				) : (
					<AdminTiles stats={data} />
				)}
				<div className={styles.columns}>
					{!hasFailed && (data?.accounts.users === 0 ? <FirstSteps /> : <WhatNeedsDoing stats={data} />)}
					<RecentActions />
				</div>
				{!hasFailed && <MonthMargin margin={data?.margin} />}
				{!hasFailed && <MonthChart days={data?.messages.days} />}
				<NewestAccounts />
			</div>
		</>
	)
}

function MonthChart({ days = [] }: { days: AdminStats['messages']['days'] | undefined }) {
	return (
		<Card title="Last 30 days" hint="Messages of all accounts by latest status">
			<DeliveryBars label="Messages of the last 30 days by latest status" days={days} />
		</Card>
	)
}

/** Number of newest accounts, and of newest audit lines, on the dashboard. */
const NEWEST = 5

function NewestAccounts() {
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

/** Renders the newest lines of the audit trail with a link to the full list. */
function RecentActions() {
	const { data, error, isFetching, refetch } = useQuery(query(auth.adminActions, { query: { limit: NEWEST } }))
	return (
		<Card title="Audit Trail" flush actions={<Link to={authPaths.auditTrail}>View all</Link>}>
			{error && !data && <LoadError message="Failed to fetch the audit trail" reading={{ refetch, isFetching }} />}
			{!data && !error && <Skeleton height={132} radius={0} />}
			{data?.total === 0 && <EmptyState title="Nothing has been changed yet" hint="Changes to accounts appear here." />}
			<ul className="bare">
				{data?.actions.map(({ _id, action, actor, subject, createdAt }) => (
					<li key={_id} className="entry whole">
						<p>
							{ADMIN_ACTION_TEXTS[action]}{' '}
							{subject && subject.email !== actor.email && (
								<b>
									<UserText text={subject.name} />
								</b>
							)}
						</p>
						<p className="quiet">
							<UserText text={actor.name} /> · <DateTime iso={createdAt} as="relative" />
						</p>
					</li>
				))}
			</ul>
		</Card>
	)
}
