import { ActionIcon, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignCopyPath, campaignPath } from '#features/campaigns/paths.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { CampaignProgress, doneCount } from '../campaign-progress.tsx'
import { CampaignStatusBadge } from '../status-badges.tsx'
import styles from './my-campaigns.module.css'

export const campaignColumns: Column<CampaignRow>[] = [
	{
		header: 'Name',
		sort: { key: 'name', kind: 'text' },
		narrow: 'title',
		cell: ({ _id, name, isTest }) => (
			<>
				<Link className={styles.name} to={campaignPath(_id)}>
					<TwoLines text={name} />
				</Link>
				{isTest && <ToneBadge tone="neutral" label="Test" />}
			</>
		),
	},
	{
		header: 'Status',
		minWidth: 124,
		sort: { key: 'status', kind: 'text' },
		narrow: 'corner',
		cell: (campaign) => <Status campaign={campaign} />,
	},
	{
		header: 'Total',
		minWidth: 82,
		sort: { key: 'totalCount', kind: 'number' },
		align: 'right',
		cell: ({ totalCount }) => formatCount(totalCount),
	},
	{ header: 'Sent', minWidth: 82, align: 'right', cell: ({ sentCount }) => formatCount(sentCount) },
	{ header: 'Failed', minWidth: 82, align: 'right', cell: ({ failedCount }) => formatCount(failedCount) },
	{
		header: 'Cost',
		minWidth: 114,
		sort: { key: 'cost', kind: 'number' },
		align: 'right',
		cell: ({ cost }) => <Money rupees={cost} />,
	},
	{
		header: 'Created At',
		sort: { key: 'createdAt', kind: 'date' },
		narrow: 'under',
		cell: ({ createdAt }) => <DateTime iso={createdAt} />,
	},
	{
		header: '',
		align: 'right',
		minWidth: 132,
		narrow: 'beside',
		cell: (campaign) => <Actions campaign={campaign} />,
	},
]

function Status({ campaign }: { campaign: CampaignRow }) {
	const { status, opensAt, totalCount } = campaign
	const done = doneCount(campaign)
	const isUnderWay = status === 'processing' || (status === 'paused' && done > 0)
	return (
		<div className={styles.status}>
			<CampaignStatusBadge status={status} />
			{isUnderWay && (
				<>
					<CampaignProgress campaign={campaign} />
					<small className="figures">{percent(totalCount > 0 ? done / totalCount : 0)}</small>
				</>
			)}
			{status === 'pending' && (
				<small>
					Starts <DateTime iso={opensAt} />
				</small>
			)}
		</div>
	)
}

function Actions({ campaign: { _id, name, isTest, isApi } }: { campaign: CampaignRow }) {
	return (
		<div className="row-actions">
			{!isTest && !isApi && (
				<ActionIcon
					title="Duplicate"
					component={Link}
					to={campaignCopyPath(_id)}
					variant="default"
					size="var(--app-control)"
					aria-label={`Duplicate ${name}`}
				>
					<IconCopy size={18} aria-hidden />
				</ActionIcon>
			)}
			<Button component={Link} to={campaignPath(_id)} variant="default" px={8} aria-label={`View ${name}`}>
				View
			</Button>
		</div>
	)
}
