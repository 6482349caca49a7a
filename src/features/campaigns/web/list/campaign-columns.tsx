import { ActionIcon, Box, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignCopyPath, campaignPath } from '#features/campaigns/paths.ts'
import { openText, shareOf } from '#features/campaigns/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, percent, plural } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { CampaignProgress, doneCount, CampaignStatusBadge } from '../parts.tsx'
import styles from './my-campaigns.module.css'

const NAME: Column<CampaignRow> = {
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
}

const COST: Column<CampaignRow> = {
	header: 'Cost',
	minWidth: 114,
	sort: { key: 'cost', kind: 'number' },
	align: 'right',
	cell: ({ cost }) => <Money rupees={cost} />,
}

const CREATED_AT: Column<CampaignRow> = {
	header: 'Created At',
	sort: { key: 'createdAt', kind: 'date' },
	narrow: 'under',
	cell: ({ createdAt }) => <DateTime iso={createdAt} />,
}

/** The figures of a campaign in one line, for phones. */
const SUMMARY: Column<CampaignRow> = {
	header: '',
	narrow: 'summary',
	cell: ({ totalCount, sentCount, failedCount, cost }) =>
		`${formatCount(sentCount)} of ${formatCount(totalCount)} sent, ${formatCount(failedCount)} failed, ${formatRupees(cost)}`,
}

export const campaignColumns: Column<CampaignRow>[] = [
	NAME,
	SUMMARY,
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
	COST,
	CREATED_AT,
	{
		header: '',
		align: 'right',
		minWidth: 132,
		narrow: 'beside',
		cell: (campaign) => <Actions campaign={campaign} />,
	},
]

/** The columns of results: counts, shares of the recipients, and cost of each. */
export const resultColumns: Column<CampaignRow>[] = [
	NAME,
	CREATED_AT,
	{ header: 'Recipients', minWidth: 92, align: 'right', cell: ({ totalCount }) => formatCount(totalCount) },
	resultColumn('Delivered', ({ deliveredCount }) => deliveredCount, {
		// The whole words, with WhatsApp, would take two lines of each row.
		beside: (campaign) => openText(campaign, 'not confirmed'),
	}),
	resultColumn('Read', ({ readCount }) => readCount),
	resultColumn('Replied', ({ repliedCount }) => repliedCount, {
		each: 'per reply',
		beside: ({ quotedCount }) => quotedCount > 0 && `${formatCount(quotedCount)} directly`,
	}),
	resultColumn('Clicked', ({ countsClicks, clickedCount }) => (countsClicks ? clickedCount : null)),
	COST,
]

/** Shows how many people of the control group replied, and clicked a link of any campaign, although they got no message. */
export const CONTROL_GROUP_COLUMN: Column<CampaignRow> = {
	header: 'Replied (test group)',
	minWidth: 120,
	align: 'right',
	cell: ({ heldOut, countsClicks }) => {
		if (!heldOut?.countedAt) return '-'
		const { people, wrote, clicked } = heldOut
		return (
			<span>
				<span className="figures">{formatCount(wrote)}</span> <small className="quiet">{percent(wrote / people)}</small>
				<Box component="small" className="fine" display="block">
					of {plural(people, 'person', 'people')}
				</Box>
				{(countsClicks || clicked > 0) && (
					<Box component="small" className="fine" display="block">
						{formatCount(clicked)} clicked
					</Box>
				)}
			</span>
		)
	},
}

interface ResultParts {
	/** A second count on a line below. */
	beside?: (campaign: CampaignRow) => string | false | null
	/** The words after the average cost, "each" by default. */
	each?: string
}

/** Shows a count, its share of the recipients and its cost; a dash where nothing is counted. */
function resultColumn(
	header: string,
	countOf: (campaign: CampaignRow) => number | null,
	{ beside, each = 'each' }: ResultParts = {},
): Column<CampaignRow> {
	return {
		header,
		minWidth: 104,
		align: 'right',
		cell: (campaign) => {
			const count = countOf(campaign)
			if (count === null) return '-'
			const line = beside?.(campaign)
			return (
				<span>
					<span className="figures">{formatCount(count)}</span>{' '}
					<small className="quiet">{percent(shareOf(count, campaign.totalCount) ?? 0)}</small>
					{line && <small className={`fine ${styles.below}`}>{line}</small>}
					{count > 0 && campaign.cost > 0 && (
						<small className={`fine ${styles.below}`}>
							{formatRupees(campaign.cost / count)} {each}
						</small>
					)}
				</span>
			)
		},
	}
}

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
