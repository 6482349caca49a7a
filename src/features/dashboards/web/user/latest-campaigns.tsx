import { Group, Stack } from '@mantine/core'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { CampaignStatusBadge } from '#features/campaigns/web/parts.tsx'
import { formatRupees } from '#lib/money.ts'
import { formatCount, percent, plural } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './user-dashboard.module.css'

export function LatestCampaigns({ rows }: { rows: readonly CampaignRow[] }) {
	return (
		<Card title="Latest campaigns" actions={<Link to={campaignPaths.list}>View all</Link>}>
			<Stack component="ul" className="bare" gap={12} aria-label="Latest campaigns">
				{rows.map((campaign) => (
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

/** Returns the result of a campaign in the words of the report; the messages sent until a report of delivery arrives. */
function outcomeOf({ status, sentCount, deliveredCount, readCount, totalCount, cost }: CampaignRow): string {
	if (status === 'pending') return plural(totalCount, 'recipient')
	const isKnown = deliveredCount > 0
	const count = isKnown ? deliveredCount : sentCount
	const share = totalCount > 0 ? ` (${percent(count / totalCount)})` : ''
	const read = isKnown ? `, ${formatCount(readCount)} read it` : ''
	return `${formatCount(count)} of ${formatCount(totalCount)} ${isKnown ? 'got it' : 'sent'}${share}${read}, ${formatRupees(cost)}`
}
