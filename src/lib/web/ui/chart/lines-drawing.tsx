import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { CHART_MARGIN, chartSettings } from './chart-settings.ts'

/** Draws `Lines`. A separate file, so that the chart library is a separate chunk. */
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
