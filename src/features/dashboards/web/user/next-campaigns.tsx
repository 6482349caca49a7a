import { Stack } from '@mantine/core'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { CampaignProgress, doneCount } from '#features/campaigns/web/parts.tsx'
import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './user-dashboard.module.css'

interface NextCampaignsProps {
	title: string
	rows: readonly CampaignRow[]
}

/** Renders the campaigns that are being sent or are scheduled. Renders nothing without rows. */
export function NextCampaigns({ title, rows }: NextCampaignsProps) {
	if (rows.length === 0) return null
	return (
		<Card title={title}>
			<Stack component="ul" className="bare" gap={12}>
				{rows.map((campaign) => (
					<li key={campaign._id}>
						<div className={styles.campaign}>
							<Link to={campaignPath(campaign._id)}>
								<UserText text={campaign.name} />
							</Link>
							<span className="quiet">
								<Position campaign={campaign} />
							</span>
						</div>
						{campaign.status === 'processing' && <CampaignProgress campaign={campaign} />}
					</li>
				))}
			</Stack>
		</Card>
	)
}

function Position({ campaign }: { campaign: CampaignRow }) {
	if (campaign.status !== 'processing') return <DateTime iso={campaign.opensAt} />
	return (
		<span className="figures">
			{formatCount(doneCount(campaign))} of {formatCount(campaign.totalCount)}
		</span>
	)
}
