import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { CHART_MARGIN, chartSettings } from './chart-settings.ts'

/** Draws `Bars`. A separate file, so that the chart library is a separate chunk. */
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
