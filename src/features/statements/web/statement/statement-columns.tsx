import { Box, Stack } from '@mantine/core'
import { campaignPath } from '#features/campaigns/paths.ts'
import type { StatementGroup, StatementKind, StatementLine } from '#features/statements/contract.ts'
import { kindHints, kindNames } from '#features/statements/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { ExpandButton } from '#lib/web/ui/table/expand-button.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import type { OpenRows } from '#lib/web/ui/table/use-open-rows.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './statement.module.css'

const TONES: Record<StatementKind, Tone> = {
	recharge: 'ok',
	hold: 'warn',
	capture: 'neutral',
	release: 'info',
	refund: 'info',
	reversal: 'warn',
}

interface Groups extends OpenRows {
	withLinks: boolean
	/** Kind of the filtered lines; undefined without a filter by kind. */
	kind: StatementKind | undefined
}

export function groupColumns({ withLinks, kind, open, toggle }: Groups): Column<StatementGroup>[] {
	const isCampaign = (group: StatementGroup) => group.linesOf !== null && !kind
	return [
		{ header: 'Date & Time', cell: ({ time }) => <DateTime iso={time} />, width: '200px', narrow: 'under' },
		{ header: 'For', cell: (group) => <About group={group} withLinks={withLinks} />, narrow: 'title' },
		{
			header: 'Kind',
			cell: (group) => (isCampaign(group) ? <GroupKind group={group} /> : <Kind kind={group.kind} />),
			width: '130px',
			narrow: 'corner',
		},
		{
			header: 'Amount',
			cell: (group) =>
				isCampaign(group) && group.heldChange > 0 ? <RunningAmount group={group} /> : <Amount of={group} />,
			align: 'right',
			width: '190px',
			minWidth: 124,
		},
		{
			header: 'Details',
			cell: ({ _id, linesOf, campaign, notes }) =>
				linesOf && (
					<ExpandButton
						expanded={open.has(_id)}
						label={`Details of ${campaign?.name ?? notes}`}
						onClick={() => toggle(_id)}
					/>
				),
			align: 'right',
			width: '90px',
			minWidth: 90,
			narrow: 'menu',
		},
	]
}

export const lineColumns: Column<StatementLine>[] = [
	{ header: 'Date & Time', cell: ({ time }) => <DateTime iso={time} />, narrow: 'under' },
	{ header: 'Kind', cell: ({ kind }) => <Kind kind={kind} />, width: '110px', narrow: 'corner' },
	{ header: 'Messages', cell: ({ messageCount }) => plural(messageCount ?? 0, 'message'), narrow: 'title' },
	{ header: 'Amount', minWidth: 124, cell: (line) => <Amount of={line} />, align: 'right' },
	{ header: 'Available after', minWidth: 124, cell: ({ available }) => <Money rupees={available} />, align: 'right' },
	{ header: 'On hold after', minWidth: 124, cell: ({ held }) => <Money rupees={held} />, align: 'right' },
]

function GroupKind({ group }: { group: StatementGroup }) {
	return <ToneBadge tone="neutral" label={group.campaign ? 'Campaign' : 'Chat'} />
}

function Kind({ kind }: { kind: StatementKind }) {
	return (
		<span title={kindHints[kind]}>
			<ToneBadge tone={TONES[kind]} label={kindNames[kind]} />
		</span>
	)
}

function About({ group, withLinks }: { group: StatementGroup; withLinks: boolean }) {
	const { campaign, messageCount, notes, adminName } = group
	const text = <TwoLines text={campaign?.name ?? (notes || 'No notes')} />
	return (
		<Stack component="span" className="whole" gap={0}>
			{campaign && withLinks ? <Link to={campaignPath(campaign._id)}>{text}</Link> : text}
			{adminName && (
				<Box component="span" className="quiet" fw={400}>
					Recorded by <UserText text={adminName} />
				</Box>
			)}
			{messageCount !== null && messageCount > 0 && (
				<Box component="span" className="quiet" fw={400}>
					{plural(messageCount, 'message')}
				</Box>
			)}
		</Stack>
	)
}

/**
 * Renders the money paid in or spent with a + or − sign, so that the meaning does not depend on colour. A move between
 * available money and money on hold has no sign.
 */
function Amount({ of: { availableChange, heldChange } }: { of: StatementGroup | StatementLine }) {
	const change = availableChange + heldChange
	if (change === 0)
		return <span className="figures quiet">{heldChange === 0 ? '-' : formatRupees(Math.abs(heldChange))}</span>
	return (
		<span className={`figures ${styles.change}`} data-in={change > 0}>
			{change > 0 ? '+' : '−'}
			{formatRupees(Math.abs(change))}
		</span>
	)
}

/** Renders the amount of a campaign that still has money on hold. */
function RunningAmount({ group }: { group: StatementGroup }) {
	const { availableChange, heldChange } = group
	return (
		<Stack component="span" gap={0}>
			{availableChange + heldChange !== 0 && <Amount of={group} />}
			<span className="figures quiet">{formatRupees(heldChange)} on hold</span>
		</Stack>
	)
}
