import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import type { ChartSeries } from '#lib/web/ui/chart/chart-frame.tsx'
import { Lines } from '#lib/web/ui/chart/lines.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { FoldingCard } from '#lib/web/ui/layout/folding-card.tsx'
import { cumulated } from './timeline.ts'

const TITLE = 'Messages over time'

const SERIES: readonly ChartSeries[] = [
	{ name: 'sent', label: 'Accepted at first', color: 'sent' },
	{ name: 'delivered', label: 'Delivered', color: 'delivered' },
	{ name: 'read', label: 'Read', color: 'read' },
	{ name: 'failed', label: 'Failed', color: 'failed' },
]

const CLICKS: ChartSeries = { name: 'clicks', label: 'Clicks', color: 'pending' }

interface TimelineChartProps {
	id: string
	/** Time at which the report was read. A new time reads the chart again. */
	at: string
	countsClicks: boolean
}

/** Shows the progress of a campaign over time; nothing before its first message. */
export function TimelineChart({ id, at, countsClicks }: TimelineChartProps) {
	const timeline = useQuery({
		queryKey: [campaignReports.timeline.path, id, at],
		queryFn: ({ signal }) => call(campaignReports.timeline, { params: { id }, signal }),
		placeholderData: keepPreviousData,
		gcTime: 0,
	})
	const { data } = timeline
	if (timeline.isError && !data)
		return (
			<Card title={TITLE}>
				<MissingPart message="The course of the campaign could not be loaded." readings={[timeline]} />
			</Card>
		)
	if (!data || data.spans.length === 0) return null
	return (
		<FoldingCard
			title={TITLE}
			hint={`Messages accepted by WhatsApp, delivered, read${countsClicks ? ', clicked' : ''} and failed. Some accepted messages fail later.`}
		>
			<Lines
				label="Messages accepted, delivered, read and failed over time"
				data={cumulated(data)}
				x="Time"
				series={countsClicks ? [...SERIES, CLICKS] : SERIES}
				format={formatCount}
			/>
		</FoldingCard>
	)
}
