import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminDashboards, type AdminStats } from '#features/dashboards/admin-contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { AdminTiles } from './admin-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewestAccounts } from './newest-accounts.tsx'
import { RecentActions } from './recent-actions.tsx'
import { WhatNeedsDoing } from './what-needs-doing.tsx'
import styles from './admin-dashboard.module.css'

const FAILED = 'Failed to fetch the statistics'

export function AdminDashboard() {
	// Nothing announces what all accounts do: a reading when it opens, and each half minute, is enough for an admin.
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
