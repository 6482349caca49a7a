import type { AdminStats } from '#features/users/contract.ts'
import { formatCalendarDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { Bars } from '#lib/web/ui/chart/bars.tsx'
import type { ChartSeries } from '#lib/web/ui/chart/chart-frame.tsx'

const series: readonly ChartSeries[] = [
	{ name: 'read', label: 'Read', color: 'read' },
	{ name: 'delivered', label: 'Delivered', color: 'delivered' },
	{ name: 'sent', label: 'Sent', color: 'sent' },
	{ name: 'failed', label: 'Failed', color: 'failed' },
]

export function MonthChart({ days }: { days: AdminStats['messages']['days'] | undefined }) {
	return (
		<Card title="Last 30 days" hint="Messages of all accounts by how far they came">
			<Bars
				label="Messages of the last 30 days by how far they came"
				data={(days ?? []).map(stacked)}
				x="Day"
				series={series}
				format={formatCount}
			/>
		</Card>
	)
}

/** A message that was read was also sent and delivered; in a bar it is counted once, where it came to. */
function stacked({ day, sent, delivered, read, failed }: AdminStats['messages']['days'][number]) {
	return {
		Day: formatCalendarDay(day),
		read,
		delivered: Math.max(0, delivered - read),
		sent: Math.max(0, sent - Math.max(delivered, read) - failed),
		failed,
	}
}
