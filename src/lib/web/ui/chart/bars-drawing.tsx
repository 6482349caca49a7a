import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { CHART_MARGIN, chartSettings } from './chart-settings.ts'

/** In a file of its own, so that the chart library is a chunk of its own. */
export function BarsDrawing(props: ChartProps) {
	return (
		<BarChart
			{...chartSettings(props)}
			type="stacked"
			xAxisProps={{ interval: 'equidistantPreserveStart' }}
			maxBarWidth={40}
			barChartProps={{ title: props.label, margin: CHART_MARGIN }}
		/>
	)
}
