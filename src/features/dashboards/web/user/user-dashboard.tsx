import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { LimitCard } from '#features/delivery/web/parts.tsx'
import { isolate } from '#lib/text/bidi.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { DashboardTiles, type Dashboard } from './dashboard-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestCampaigns } from './latest-campaigns.tsx'
import { NextCampaigns } from './next-campaigns.tsx'

/** Renders the welcome text of the specification and, under it, the account's current state. */
export function UserDashboard() {
	const name = useCurrentUser()?.name
	// Refetches on each visit, since other screens change these figures.
	const dashboard = useQuery({ ...query(dashboards.user), staleTime: 0 })
	const { data } = dashboard
	if (dashboard.error && !data)
		return (
			<>
				<PageHeader title={welcome(name)} documentTitle="Dashboard" />
				<LoadError message={messageOf(dashboard.error, 'Failed to fetch the dashboard')} reading={dashboard} />
			</>
		)
	return (
		<>
			<PageHeader
				title={welcome(name)}
				documentTitle="Dashboard"
				actions={
					<Button component={Link} to={campaignPaths.create} leftSection={<IconPlus size={16} aria-hidden />}>
						Create Campaign
					</Button>
				}
			/>
			<div className="stack">
				{data && <FirstSteps steps={data.steps} />}
				<DashboardTiles dashboard={data} />
				<div className="columns" style={{ gap: 16 }}>
					<div className="stack">
						<WeekChart days={data?.days} />
						<LatestCampaigns />
					</div>
					<div className="stack">
						<NextCampaigns title="Running now" rows={data?.running} empty="No campaign is being sent." />
						<NextCampaigns title="Upcoming" rows={data?.upcoming} empty="No campaign is scheduled." />
						<LimitCard />
					</div>
				</div>
			</div>
		</>
	)
}

function welcome(name: string | undefined): string {
	return name ? `Welcome, ${isolate(name)}` : 'Welcome'
}

function WeekChart({ days = [] }: { days: Dashboard['days'] | undefined }) {
	return (
		<Card title="Last seven days" hint="Messages by latest status">
			<DeliveryBars label="Messages of the last seven days by latest status" days={days} />
		</Card>
	)
}
