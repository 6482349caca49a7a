import { AreaChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { chartSettings } from './chart-settings.ts'

/** In a file of its own, so that the chart library is a chunk of its own. */
export function AreaLineDrawing(props: ChartProps) {
	return (
		<AreaChart
			{...chartSettings(props)}
			areaChartProps={{ title: props.label }}
			curveType="monotone"
			fillOpacity={0.15}
			withDots={props.data.length < 20}
		/>
	)
}
