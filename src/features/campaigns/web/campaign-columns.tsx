import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { formatCount } from '#lib/numbers.ts'
import { DateTime } from '#lib/web/ui/date-time.tsx'
import { Money } from '#lib/web/ui/money.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import type { CampaignRow } from '../contract.ts'
import { campaignPath } from '../paths.ts'
import { CampaignProgress } from './campaign-progress.tsx'
import { CampaignStatusBadge } from './status-badges.tsx'
import styles from './my-campaigns.module.css'

export const campaignColumns: Column<CampaignRow>[] = [
	{
		header: 'Name',
		narrow: 'title',
		cell: ({ _id, name }) => (
			<Link className={styles.name} to={campaignPath(_id)}>
				{name}
			</Link>
		),
	},
	{ header: 'Status', narrow: 'corner', cell: (campaign) => <Status campaign={campaign} /> },
	{ header: 'Total', align: 'right', cell: ({ totalCount }) => formatCount(totalCount) },
	{ header: 'Sent', align: 'right', cell: ({ sentCount }) => formatCount(sentCount) },
	{ header: 'Failed', align: 'right', cell: ({ failedCount }) => formatCount(failedCount) },
	{ header: 'Cost', align: 'right', cell: ({ cost }) => <Money rupees={cost} /> },
	{
		header: 'Created At',
		narrow: 'under',
		cell: ({ createdAt }) => (
			<span className={styles.created}>
				<DateTime iso={createdAt} />
			</span>
		),
	},
	{
		header: '',
		align: 'right',
		narrow: 'actions',
		cell: ({ _id, name }) => (
			<Button component={Link} to={campaignPath(_id)} variant="default" px={8} aria-label={`View ${name}`}>
				View
			</Button>
		),
	},
]

function Status({ campaign }: { campaign: CampaignRow }) {
	return (
		<div className={styles.status}>
			<CampaignStatusBadge status={campaign.status} />
			{campaign.status === 'processing' && <CampaignProgress campaign={campaign} />}
		</div>
	)
}
