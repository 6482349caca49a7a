import { Box, Stack, Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import { campaignPath } from '#features/campaigns/paths.ts'
import type { StatementKind, StatementLine } from '#features/statements/contract.ts'
import { kindHints, kindNames } from '#features/statements/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
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
}

export function statementColumns(withLinks: boolean): Column<StatementLine>[] {
	return [
		{ header: 'Date & Time', cell: ({ time }) => <DateTime iso={time} />, narrow: 'under' },
		{ header: 'Kind', cell: ({ kind }) => <Kind kind={kind} />, width: '110px', narrow: 'corner' },
		{ header: 'For', cell: (line) => <About line={line} withLinks={withLinks} />, narrow: 'title' },
		{
			header: 'Available change',
			minWidth: 124,
			cell: ({ availableChange }) => <Change rupees={availableChange} />,
			align: 'right',
		},
		{
			header: 'On hold change',
			minWidth: 124,
			cell: ({ heldChange }) => <Change rupees={heldChange} />,
			align: 'right',
		},
		{ header: 'Available after', minWidth: 124, cell: ({ available }) => <Money rupees={available} />, align: 'right' },
		{ header: 'On hold after', minWidth: 124, cell: ({ held }) => <Money rupees={held} />, align: 'right' },
	]
}

function Kind({ kind }: { kind: StatementKind }) {
	return (
		<Tooltip label={kindHints[kind]}>
			<span>
				<ToneBadge tone={TONES[kind]} label={kindNames[kind]} />
			</span>
		</Tooltip>
	)
}

function About({ line, withLinks }: { line: StatementLine; withLinks: boolean }) {
	const { campaign, messageCount, notes, adminName } = line
	if (!campaign)
		return (
			<Stack component="span" className="whole" gap={0}>
				<TwoLines text={notes || 'No notes'} />
				{adminName && (
					<Box component="span" className="quiet" fw={400}>
						Recorded by <UserText text={adminName} />
					</Box>
				)}
				{messageCount !== null && (
					<Box component="span" className="quiet" fw={400}>
						{plural(messageCount, 'message')}
					</Box>
				)}
			</Stack>
		)
	return (
		<Stack component="span" className="whole" gap={0}>
			{withLinks ? (
				<Link to={campaignPath(campaign._id)}>
					<TwoLines text={campaign.name} />
				</Link>
			) : (
				<TwoLines text={campaign.name} />
			)}
			<Box component="span" className="quiet" fw={400}>
				{plural(messageCount ?? 0, 'message')}
			</Box>
		</Stack>
	)
}

/** With its sign, so that it does not hang on the colour alone. */
function Change({ rupees }: { rupees: number }) {
	if (rupees === 0)
		return (
			<Box component="span" className="quiet" fw={400}>
				-
			</Box>
		)
	return (
		<span className={`figures ${styles.change}`} data-in={rupees > 0}>
			{rupees > 0 ? '+' : '−'}
			{formatRupees(Math.abs(rupees))}
		</span>
	)
}
