import { Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { campaigns, type CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { CampaignStatusBadge } from '#features/campaigns/web/parts.tsx'
import { formatRupees } from '#lib/money.ts'
import { formatCount, percent, plural } from '#lib/numbers.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './user-dashboard.module.css'

const SHOWN = 5

/** Renders the latest campaigns; nothing before the first one. */
export function LatestCampaigns() {
	const list = useQuery(query(campaigns.list, { query: { limit: SHOWN } }))
	const rows = list.data?.campaigns
	const hasFailed = list.isError && !rows
	if (!hasFailed && !rows?.length) return null
	return (
		<Card title="Latest campaigns" actions={<Link to={campaignPaths.list}>View all</Link>}>
			<MissingPart message="The latest campaigns could not be loaded." readings={[list]} />
			<Stack component="ul" className="bare" gap={12} aria-label="Latest campaigns">
				{rows?.map((campaign) => (
					<Group
						key={campaign._id}
						component="li"
						className={styles.latest}
						gap={12}
						justify="space-between"
						wrap="nowrap"
					>
						<div className={styles.campaign}>
							<Link to={campaignPath(campaign._id)}>
								<UserText text={campaign.name} />
							</Link>
							<span className="quiet">{outcomeOf(campaign)}</span>
						</div>
						<CampaignStatusBadge status={campaign.status} />
					</Group>
				))}
			</Stack>
		</Card>
	)
}

function outcomeOf({ status, sentCount, failedCount, totalCount, cost }: CampaignRow): string {
	if (status === 'pending') return plural(totalCount, 'recipient')
	const share = totalCount > 0 ? ` (${percent(sentCount / totalCount)})` : ''
	const failed = failedCount > 0 ? `, ${formatCount(failedCount)} failed` : ''
	return `${formatCount(sentCount)} of ${formatCount(totalCount)} sent${share}${failed}, ${formatRupees(cost)}`
}
