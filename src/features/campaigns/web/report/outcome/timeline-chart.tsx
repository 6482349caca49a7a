import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import type { ChartSeries } from '#lib/web/ui/chart/chart-frame.tsx'
import { Lines } from '#lib/web/ui/chart/lines.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { cumulated } from './timeline.ts'

const SERIES: readonly ChartSeries[] = [
	{ name: 'sent', label: 'Sent', color: 'sent' },
	{ name: 'delivered', label: 'Delivered', color: 'delivered' },
	{ name: 'read', label: 'Read', color: 'read' },
	{ name: 'failed', label: 'Failed', color: 'failed' },
]

interface TimelineChartProps {
	id: string
	/** When the rest of the report was read: the chart goes with it. */
	at: string
}

/** How a campaign went on over time; nothing before its first message. */
export function TimelineChart({ id, at }: TimelineChartProps) {
	const { data } = useQuery({
		queryKey: [campaignReports.timeline.path, id, at],
		queryFn: ({ signal }) => call(campaignReports.timeline, { params: { id }, signal }),
		placeholderData: keepPreviousData,
		gcTime: 0,
	})
	if (!data || data.spans.length === 0) return null
	return (
		<Card title="Messages over time" hint="Messages sent, delivered, read and failed so far">
			<Lines
				label="Messages sent, delivered, read and failed over time"
				data={cumulated(data)}
				x="Time"
				series={SERIES}
				format={formatCount}
			/>
		</Card>
	)
}
