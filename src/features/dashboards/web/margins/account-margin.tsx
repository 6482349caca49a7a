import { useQuery } from '@tanstack/react-query'
import { margins, type CategoryMargin, type MarketUsage } from '#features/dashboards/margin-contract.ts'
import { pricingPaths } from '#features/pricing/paths.ts'
import { ApiError } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { useParams } from '#lib/web/router/hooks.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import type { Column } from '#lib/web/ui/table/column.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { CheckCard } from './check-card.tsx'
import {
	CHARGE_COLUMN,
	FIGURE_COLUMNS,
	MarginNotice,
	MarginTiles,
	MESSAGES_COLUMN,
	MonthChoice,
	useMonth,
} from './margin-parts.tsx'

/** Shows one account's month by category and by the recipients' countries. */
export function AccountMarginScreen() {
	const { userId = '' } = useParams()
	const [month, setMonth] = useMonth()
	const reading = useQuery(paged(margins.one, { params: { userId }, query: { month } }))
	const { data, error } = reading
	const isUnknown = error instanceof ApiError && [400, 404].includes(error.status)
	return (
		<>
			<PageHeader
				title={data?.account.name ?? 'Margin'}
				hint={data?.account.email}
				back={<BackLink to={`${pricingPaths.margins}?month=${month}`} name="Margins" />}
				actions={<MonthChoice month={month} onChoose={setMonth} />}
			/>
			{isUnknown ? (
				<Missing title="User not found" to={pricingPaths.margins} name="Margins" />
			) : (
				<div className="stack">
					<MarginTiles of={data?.account} />
					<MarginNotice of={data?.account} />
					<Card title="By category" flush>
						<DataTable
							label="Margin by category"
							query={reading}
							rows={data?.categories}
							rowKey={({ category }) => category}
							columns={CATEGORY_COLUMNS}
							empty={<EmptyState title="No messages in this month" />}
							failed="Failed to fetch the margin"
						/>
					</Card>
					<Card title="By country" flush>
						<DataTable
							label="WhatsApp’s charge by country"
							query={reading}
							rows={data?.markets}
							rowKey={({ market }) => market}
							columns={MARKET_COLUMNS}
							empty={<EmptyState title="No messages in this month" />}
							failed="Failed to fetch the margin"
						/>
					</Card>
					{data && <CheckCard check={data.check} />}
				</div>
			)}
		</>
	)
}

const CATEGORY_COLUMNS: Column<CategoryMargin>[] = [
	{ header: 'Category', cell: ({ name }) => name, narrow: 'title' },
	...FIGURE_COLUMNS,
]

const MARKET_COLUMNS: Column<MarketUsage>[] = [
	{ header: 'Country', cell: ({ name }) => name, narrow: 'title' },
	MESSAGES_COLUMN,
	CHARGE_COLUMN,
]
