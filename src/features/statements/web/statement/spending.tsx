import { ActionIcon, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { statements } from '#features/statements/contract.ts'
import { addMonths, indianDay, monthName } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { messageOf } from '#lib/web/api.ts'
import { paged } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { Bars } from '#lib/web/ui/chart/bars.tsx'
import type { ChartSeries } from '#lib/web/ui/chart/chart-frame.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { withParams } from '#lib/web/ui/state/with-params.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { daysOfMonth } from './months.ts'

const SERIES: readonly ChartSeries[] = [
	{ name: 'marketing', label: 'Marketing', color: 'delivered' },
	{ name: 'utility', label: 'Utility', color: 'read' },
	{ name: 'authentication', label: 'Authentication', color: 'pending' },
]
const REPLIES: ChartSeries = { name: 'service', label: 'Replies', color: 'sent' }

/** Short amount format, such as ₹7.5L for 7,50,000 rupees. */
const shortFormat = new Intl.NumberFormat('en-IN', {
	style: 'currency',
	currency: 'INR',
	notation: 'compact',
	maximumFractionDigits: 2,
})

/** Renders the daily cost of a month by category; the month is stored in the URL. */
export function Spending({ userId }: { userId: string }) {
	const [search, setSearch] = useSearchParams()
	const now = useNow(false)
	const wanted = search.get('month') ?? undefined
	const spending = useQuery(paged(statements.spending, { params: { userId }, query: { month: wanted } }))
	const { month, days, total } = spending.data ?? {}
	const turn = (by: number) =>
		setSearch((old) => withParams(old, month ? { month: addMonths(month, by) } : {}), { preventScrollReset: true })
	const isLatest = month !== undefined && addMonths(month, 1) > indianDay(now).slice(0, 7)
	return (
		<Card
			title="Spending by category"
			hint={month && `${monthName(month)}: ${formatRupees(total ?? 0)}, after refunds`}
			actions={
				<Group gap={8} wrap="nowrap">
					<Turn label="Previous month" disabled={!month} onClick={() => turn(-1)} />
					<Turn label="Next month" disabled={!month || isLatest} onClick={() => turn(1)} />
				</Group>
			}
		>
			{spending.error && (
				<LoadError message={messageOf(spending.error, 'Failed to fetch the spending')} reading={spending} />
			)}
			{month && days?.length === 0 && <EmptyState title="No spending in this month" />}
			{month && days && days.length > 0 && (
				<Bars
					label={`Spending in ${monthName(month)}, in rupees`}
					data={daysOfMonth(month, days)}
					x="Day"
					series={days.some(({ service }) => service !== 0) ? [...SERIES, REPLIES] : SERIES}
					format={formatRupees}
					axisFormat={(rupees) => shortFormat.format(rupees)}
				/>
			)}
		</Card>
	)
}

function Turn({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) {
	const Icon = label.startsWith('Previous') ? IconChevronLeft : IconChevronRight
	return (
		<ActionIcon variant="default" size="var(--app-control)" aria-label={label} disabled={disabled} onClick={onClick}>
			<Icon size={18} aria-hidden />
		</ActionIcon>
	)
}
