import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { CHART_MARGIN, chartSettings } from './chart-settings.ts'

/** In a file of its own, so that the chart library is a chunk of its own. */
export function LinesDrawing(props: ChartProps) {
	return (
		<LineChart
			{...chartSettings(props)}
			curveType="linear"
			withDots={false}
			strokeWidth={2}
			lineChartProps={{ title: props.label, margin: CHART_MARGIN }}
		/>
	)
}
