import { Skeleton, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { CampaignProgress, doneCount } from '#features/campaigns/web/parts.tsx'
import { formatCount } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './user-dashboard.module.css'

interface NextCampaignsProps {
	title: string
	/** Undefined while loading. */
	rows: readonly CampaignRow[] | undefined
	empty: string
}

export function NextCampaigns({ title, rows, empty }: NextCampaignsProps) {
	return (
		<Card title={title}>
			{!rows && <Skeleton height={20} />}
			{rows?.length === 0 && <p className="quiet">{empty}</p>}
			{rows && rows.length > 0 && (
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
			)}
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
