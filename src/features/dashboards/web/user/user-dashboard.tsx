import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { isolate } from '#lib/text/bidi.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { DashboardTiles, type Dashboard } from './dashboard-tiles.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NextCampaigns } from './next-campaigns.tsx'
import { Today } from './today.tsx'

// Loaded late, because it lies below the first screen.
const History = latePart(() => import('./history.tsx').then((module) => module.History))

/** Renders the welcome text of the specification and, under it, what to do next and the account's figures. */
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
			{data ? <Home dashboard={data} /> : <Waiting />}
		</>
	)
}

/** Renders an account's state. Leaves out the tiles and charts, which are empty, for a shop without a campaign. */
function Home({ dashboard }: { dashboard: Dashboard }) {
	const { steps, running, upcoming } = dashboard
	return (
		<div className="stack">
			<FirstSteps steps={steps} />
			<NextCampaigns title="Running now" rows={running} />
			<Today dashboard={dashboard} />
			<NextCampaigns title="Upcoming" rows={upcoming} />
			{steps.campaign && (
				<>
					<DashboardTiles dashboard={dashboard} />
					<History dashboard={dashboard} />
				</>
			)}
		</div>
	)
}

/** Renders placeholders in place of the whole dashboard until the answer arrives. */
function Waiting() {
	return (
		<div className="stack" role="status" aria-label="Loading the dashboard">
			<Skeleton height={280} radius="lg" />
			<Skeleton height={120} radius="lg" />
			<Skeleton height={320} radius="lg" />
		</div>
	)
}

function welcome(name: string | undefined): string {
	return name ? `Welcome, ${isolate(name)}` : 'Welcome'
}
