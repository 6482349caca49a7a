import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { ChartProps } from './chart-frame.tsx'
import { chartSettings } from './chart-settings.ts'

/** In a file of its own, so that the chart library is a chunk of its own. */
export function BarsDrawing(props: ChartProps) {
	return <BarChart {...chartSettings(props)} type="stacked" maxBarWidth={40} barChartProps={{ title: props.label }} />
}
