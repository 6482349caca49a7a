import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignCopyPath, campaignPath } from '#features/campaigns/paths.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { CampaignProgress, doneCount } from '../campaign-progress.tsx'
import { CampaignStatusBadge } from '../status-badges.tsx'
import styles from './my-campaigns.module.css'

export const campaignColumns: Column<CampaignRow>[] = [
	{
		header: 'Name',
		narrow: 'title',
		cell: ({ _id, name, isTest }) => (
			<>
				<Link className={styles.name} to={campaignPath(_id)}>
					<UserText text={name} />
				</Link>
				{isTest && <ToneBadge tone="neutral" label="Test" />}
			</>
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

function Actions({ campaign: { _id, name, isTest } }: { campaign: CampaignRow }) {
	return (
		<Group gap={6} wrap="nowrap" justify="flex-end">
			{!isTest && (
				<Tooltip label="Duplicate">
					<ActionIcon
						component={Link}
						to={campaignCopyPath(_id)}
						variant="default"
						size="var(--app-control)"
						aria-label={`Duplicate ${name}`}
					>
						<IconCopy size={18} aria-hidden />
					</ActionIcon>
				</Tooltip>
			)}
			<Button component={Link} to={campaignPath(_id)} variant="default" px={8} aria-label={`View ${name}`}>
				View
			</Button>
		</Group>
	)
}
