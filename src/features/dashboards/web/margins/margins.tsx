import { useQuery } from '@tanstack/react-query'
import { margins, type AccountMargin } from '#features/dashboards/margin-contract.ts'
import { accountMarginPath, pricingPaths } from '#features/pricing/paths.ts'
import { monthName } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { FIGURE_COLUMNS, MarginNotice, MarginTiles, MonthChoice, useMonth } from './margin-parts.tsx'

/** Shows the operator's margin of each account in a month, accounts that lose money first. */
export function Margins() {
	const shown = useListPage()
	const [month, setMonth] = useMonth()
	const list = useQuery(paged(margins.list, { query: { ...shown.query, month } }))
	return (
		<>
			<PageHeader
				title="Margins"
				hint="What accounts were charged, and what WhatsApp charges you for their delivered messages, before GST."
				back={<BackLink to={pricingPaths.management} name="Pricing Management" />}
				actions={
					<>
						<MonthChoice month={month} onChoose={setMonth} />
						<DownloadButton
							read={() => call(margins.exportCsv, { query: { month } })}
							failed={(error) => toast.failure(error, 'Failed to export the margins')}
						>
							Export CSV
						</DownloadButton>
					</>
				}
			/>
			<div className="stack">
				<MarginTiles of={list.data?.totals} />
				<MarginNotice of={list.data?.totals} />
				<ListCard
					shown={shown}
					searchFor="Search by name or email"
					title={`Accounts in ${monthName(month)}`}
					label="Margins by account"
					query={list}
					rows={list.data?.accounts}
					pages={list.data?.pages}
					rowKey={({ _id }) => _id}
					columns={columnsFor(month)}
					empty={
						<EmptyState
							title={shown.search ? 'No accounts match your search' : `No messages in ${monthName(month)}`}
							hint={!shown.search && 'Delivered messages and charges of the month appear here.'}
						/>
					}
					failed="Failed to fetch the margins"
				/>
			</div>
		</>
	)
}

function columnsFor(month: string): Column<AccountMargin>[] {
	return [
		{
			header: 'Account',
			cell: ({ _id, name, email }) => (
				<>
					<Link to={`${accountMarginPath(_id)}?month=${month}`}>
						<UserText text={name} />
					</Link>
					<div className="fine">
						<TwoLines text={email} />
					</div>
				</>
			),
			narrow: 'title',
		},
		...FIGURE_COLUMNS,
	]
}
