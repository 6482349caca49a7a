import { Button, Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { campaigns, RecipientFilter } from '#features/campaigns/contract.ts'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { isolate } from '#lib/text/bidi.ts'
import { isMissing, messageOf } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { useParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { useListPage } from '#lib/web/ui/table/list-card.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { fetchErrorText, NO_CAMPAIGN } from '../campaign-errors.ts'
import { CampaignStatusBadge } from '../parts.tsx'
import { CampaignActions } from './actions/campaign-actions.tsx'
import { CampaignReport } from './campaign-report.tsx'
import { CreatedOffer } from './created-offer.tsx'
import styles from './campaign-detail.module.css'

/** Shows a campaign's report. Live events refetch it while the campaign is sent, at most once a second. */
export function CampaignDetail() {
	const { id = '' } = useParams()
	const shown = useListPage()
	const [filter] = useSearchText('status')
	const status = RecipientFilter.options.find((known) => known === filter)
	const report = useQuery(
		paged(campaigns.refresh, { params: { id }, query: { ...shown.query, ...(status && { status }) } }),
	)
	const failed = fetchErrorText(report.error, {
		refused: 'Failed to fetch campaign details',
		unreachable: 'Error fetching campaign details',
	})
	const isUnknown = !report.data && isMissing(report.error)
	useErrorToast(report.data || isUnknown ? null : report.error, failed, briefToast)
	const campaign = report.data?.campaign
	// The report is rendered in pieces after its title, so that a slow phone keeps answering.
	const shownReport = useDeferredValue(report.data)
	return (
		<>
			<PageHeader
				title={isolate(campaign?.name ?? 'Campaign')}
				back={
					<Button
						component={Link}
						to={campaignPaths.list}
						variant="subtle"
						size="compact-sm"
						ml={-8}
						leftSection={<IconArrowLeft size={16} aria-hidden />}
					>
						Back
					</Button>
				}
				badge={
					campaign && (
						<>
							<CampaignStatusBadge status={campaign.status} />
							{campaign.isTest && <ToneBadge tone="neutral" label="Test" />}
						</>
					)
				}
				hint={campaign?.description && <UserText text={campaign.description} />}
				actions={campaign && <CampaignActions campaign={campaign} />}
			/>
			<CreatedOffer />
			{shownReport && <CampaignReport report={shownReport} query={report} />}
			{isUnknown && <Missing {...NO_CAMPAIGN} />}
			{!shownReport &&
				!isUnknown &&
				(report.error ? (
					<LoadError message={messageOf(report.error, failed)} reading={report} />
				) : (
					<CampaignSkeleton />
				))}
		</>
	)
}

/** Shows placeholders while a campaign is loading. */
function CampaignSkeleton() {
	const visible = useDelayed(true)
	if (!visible) return null
	return (
		<div className="stack" role="status" aria-label="Loading the campaign">
			<Skeleton height={88} radius="lg" />
			<div className="tiles">
				{['Total contacts', 'Messages sent', 'Failed', 'Total cost'].map((label) => (
					<StatTile key={label} label={label} value={null} />
				))}
			</div>
			<div className={styles.columns}>
				<Skeleton height={750} radius="lg" />
				<Skeleton height={750} radius="lg" visibleFrom="md" />
			</div>
		</div>
	)
}
