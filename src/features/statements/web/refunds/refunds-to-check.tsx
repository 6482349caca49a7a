import { Button, Group } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { userStatementPath } from '#features/statements/paths.ts'
import { refunds, type RefundToCheck } from '#features/statements/refund-contract.ts'
import { FLOOR_DAYS, FLOOR_MESSAGES, USUAL_DAYS, WINDOW_DAYS } from '#features/wallet/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { usePage } from '#lib/web/ui/state/use-page.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { Pager } from '#lib/web/ui/table/pager.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { DecisionDialog, type Decided } from './decision-dialog.tsx'

/** Polling interval in milliseconds. No live event covers the refunds of all accounts. */
const REFRESH_MS = 30_000

/** Renders the refunds above the automatic limit, each with the figures that an admin needs for the decision. */
export function RefundsToCheck() {
	const [page, setPage] = usePage()
	const list = useQuery({ ...paged(refunds.refundsToCheck, { query: { page } }), refetchInterval: REFRESH_MS })
	const deciding = useDialogFor<Decided>()
	return (
		<>
			<PageHeader
				title="Refunds to check"
				hint={`An account gets its first ${formatCount(FLOOR_MESSAGES)} failed messages in ${FLOOR_DAYS} days refunded at once, and more while the share of failures is usual. You decide on the rest here; it stays charged until then.`}
			/>
			<Card flush>
				<DataTable
					label="Refunds to check"
					query={list}
					rows={list.data?.refunds}
					rowKey={keyOf}
					columns={columnsFor(deciding.open)}
					empty={
						<EmptyState
							title="No refunds to check"
							hint="No refund waits for your decision."
							icon={<IconCircleCheck size={32} stroke={1.5} aria-hidden />}
						/>
					}
					failed="Failed to fetch refunds"
					footer={<Pager page={page} pages={list.data?.pages} onTurn={setPage} hideSingle />}
				/>
			</Card>
			<DecisionDialog dialog={deciding} />
		</>
	)
}

function keyOf({ userId, campaign, price, reason }: RefundToCheck): string {
	return `${userId} ${campaign?._id ?? ''} ${price} ${reason}`
}

const REASONS: Record<RefundToCheck['reason'], string> = {
	reported: 'reported as failed',
	silence: 'not delivered in 30 days',
	free: 'not charged by WhatsApp',
}

function columnsFor(open: (decided: Decided) => void): Column<RefundToCheck>[] {
	return [
		{
			header: 'Account',
			cell: ({ userId, name, email }) => (
				<Stacked under={<TwoLines text={email} />}>
					<Link to={userStatementPath(userId)}>
						<TwoLines text={name} />
					</Link>
				</Stacked>
			),
			narrow: 'title',
		},
		{
			header: 'Campaign',
			cell: ({ campaign }) =>
				campaign ? (
					<Stacked under={`${plural(campaign.messages, 'message')} in all`}>
						<TwoLines text={campaign.name} />
					</Stacked>
				) : (
					'Templates sent from chats'
				),
			isProse: true,
			minWidth: 150,
		},
		{
			header: 'Why',
			cell: ({ messages, reason, since }) => (
				<Stacked
					under={
						<>
							since <DateTime iso={since} />
						</>
					}
				>
					<span>
						<b className="figures">{formatCount(messages)}</b> {REASONS[reason]}
					</span>
				</Stacked>
			),
			isProse: true,
			minWidth: 190,
		},
		{
			header: 'Usual for this account',
			cell: (refund) => <Usual refund={refund} />,
			isProse: true,
			minWidth: 220,
		},
		{
			header: 'Amount',
			cell: ({ amount }) => <Money rupees={amount} />,
			align: 'right',
			width: '130px',
			narrow: 'corner',
		},
		decisionColumn(open),
	]
}

function decisionColumn(open: (decided: Decided) => void): Column<RefundToCheck> {
	return {
		header: 'Decision',
		cell: (refund) => (
			<Group display="inline-flex" gap={8} wrap="nowrap">
				<Button
					variant="default"
					aria-label={`Refuse ${nameOf(refund)}`}
					onClick={() => open({ refund, decision: 'refuse' })}
				>
					Refuse
				</Button>
				<Button aria-label={`Approve ${nameOf(refund)}`} onClick={() => open({ refund, decision: 'approve' })}>
					Approve
				</Button>
			</Group>
		),
		align: 'right',
		width: '210px',
		minWidth: 206,
		narrow: 'actions',
	}
}

function Usual({ refund: { charged, refunded, usualShare } }: { refund: RefundToCheck }) {
	return (
		<Stacked under={`${WINDOW_DAYS} days: ${formatRupees(refunded)} refunded at once of ${formatRupees(charged)}`}>
			<span>{usualShare === null ? 'Not known yet' : `${percent(usualShare)} refunded in ${USUAL_DAYS} days`}</span>
		</Stacked>
	)
}

function percent(share: number): string {
	return `${(share * 100).toFixed(1)} %`
}

/** Returns the accessible name of a row's buttons, since several accounts may have refunds. */
function nameOf({ amount, name }: RefundToCheck): string {
	return `${formatRupees(amount)} of ${name}`
}
