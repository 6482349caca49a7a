import { useQuery } from '@tanstack/react-query'
import { adminPayments, type AdminPaymentRow } from '#features/payments/admin-contract.ts'
import { PAYMENT_STATES, type PaymentState } from '#features/payments/contract.ts'
import { FAULT_TEXTS, STATE_TEXTS } from '#features/payments/rules.ts'
import { userStatementPath } from '#features/statements/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { methodName } from '#features/wallet/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import type { Column } from '#lib/web/ui/table/column.ts'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { Stacked } from '#lib/web/ui/table/row/stacked.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'
import { ReceiptButton } from '../payment-buttons.tsx'

/** Polling interval in milliseconds. No live event covers the payments of all accounts. */
const REFRESH_MS = 30_000

const STATES = [
	{ value: '', label: 'All' },
	...PAYMENT_STATES.map((state) => ({ value: state, label: STATE_TEXTS[state] })),
]

/** Lists the online payments of all users, payments with a fault first. */
export function AllPayments() {
	const shown = useListPage()
	const [chosen, setState] = useSearchText('state')
	const state = PAYMENT_STATES.find((one) => one === chosen)
	const filter = { search: shown.search, state }
	const list = useQuery({
		...paged(adminPayments.all, { query: { ...shown.query, state } }),
		refetchInterval: REFRESH_MS,
	})
	return (
		<>
			<PageHeader
				title="Online payments"
				hint="Money that users added by UPI, card or net banking."
				back={<BackLink to={walletPaths.history} name="Transaction History" />}
				actions={
					<DownloadButton
						read={() => call(adminPayments.exportCsv, { query: filter })}
						failed={(error) => toast.failure(error, 'Failed to export the payments')}
					>
						Export CSV
					</DownloadButton>
				}
			/>
			<div className="stack">
				{list.data && <Watched faulty={list.data.faulty} open={list.data.open} />}
				<ListCard
					shown={shown}
					searchFor="Search by name, email or ID"
					filters={
						<Filters set={Number(state !== undefined)}>
							<FilterChips label="State" value={state ?? ''} options={STATES} onChange={setState} />
						</Filters>
					}
					label="Online payments"
					query={list}
					rows={list.data?.payments}
					pages={list.data?.pages}
					rowKey={({ reference }) => reference}
					columns={columns}
					empty={<EmptyState title={shown.search || state ? 'No payments match' : 'No online payments yet'} />}
					failed="Failed to fetch the payments"
				/>
			</div>
		</>
	)
}

/** Renders the payments that need an admin, and those that stay open. */
function Watched({ faulty, open }: { faulty: number; open: number }) {
	if (faulty === 0 && open === 0) return null
	return (
		<Notice tone={faulty > 0 ? 'warn' : 'info'}>
			{faulty > 0 && (
				<p>
					{plural(faulty, 'payment')} with a problem: compare with the provider, and refund there what was paid wrongly.
				</p>
			)}
			{open > 0 && <p>{plural(open, 'payment')} open for more than an hour. Unpaid payments expire after a day.</p>}
		</Notice>
	)
}

const TONES: Readonly<Record<PaymentState, Tone>> = {
	created: 'neutral',
	paid: 'ok',
	expired: 'neutral',
	cancelled: 'neutral',
	refunded: 'info',
	disputed: 'warn',
}

const CREDITED_BY = { webhook: 'webhook', return: 'return of the payer', poll: 'own check' } as const

const columns: Column<AdminPaymentRow>[] = [
	{
		header: 'User',
		cell: ({ user }) => (
			<Stacked under={<TwoLines text={user.email} />}>
				<Link to={userStatementPath(user._id)}>
					<TwoLines text={user.name} />
				</Link>
			</Stacked>
		),
		narrow: 'title',
		minWidth: 160,
	},
	{
		header: 'Amount',
		cell: ({ amount, tax, refunded }) => (
			<Stacked
				under={[tax > 0 && `+ ${formatRupees(tax)} GST`, refunded > 0 && `${formatRupees(refunded)} refunded`]
					.filter(Boolean)
					.join(', ')}
			>
				<Money rupees={amount} />
			</Stacked>
		),
		align: 'right',
		width: '170px',
		narrow: 'pair',
	},
	{
		header: 'State',
		cell: ({ state, problem }) =>
			problem ? (
				<ToneBadge tone="warn" label={FAULT_TEXTS[problem]} />
			) : (
				<ToneBadge tone={TONES[state]} label={STATE_TEXTS[state]} />
			),
		minWidth: 150,
		narrow: 'corner',
	},
	{
		header: 'Started',
		cell: ({ createdAt, paidAt, creditedBy }) => (
			<Stacked
				under={
					paidAt && (
						<>
							paid <DateTime iso={paidAt} />
							{creditedBy && `, credited by ${CREDITED_BY[creditedBy]}`}
						</>
					)
				}
			>
				<DateTime iso={createdAt} />
			</Stacked>
		),
		minWidth: 180,
		narrow: 'pair',
	},
	{
		header: 'Provider',
		cell: ({ method, providerId, providerPaymentId, reference }) => (
			<Stacked under={<TwoLines text={[reference, providerId].filter(Boolean).join(' · ')} />}>
				<TwoLines text={[methodName(method), providerPaymentId].filter(Boolean).join(' · ') || '-'} />
			</Stacked>
		),
		minWidth: 220,
		narrow: 'pair',
	},
	{
		header: 'Receipt',
		cell: ({ receiptId, notes, user }) =>
			receiptId !== null && (
				<ReceiptButton id={receiptId} notes={notes} userName={user.name}>
					Receipt
				</ReceiptButton>
			),
		align: 'right',
		width: '160px',
		minWidth: 152,
		narrow: 'actions',
	},
]
