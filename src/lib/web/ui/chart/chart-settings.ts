import type { ChartProps } from './chart-frame.tsx'

/** What both kinds of chart share. Nothing moves: the values matter, not their entrance. */
export function chartSettings({ data, x, series, height = 260, format }: ChartProps) {
	return {
		h: height,
		data: [...data],
		dataKey: x,
		series: series.map(({ name, label, color }) => ({ name, label, color: `var(--app-chart-${color})` })),
		valueFormatter: format,
		withLegend: series.length > 1,
		// In the order of the series, not of the alphabet.
		legendProps: { verticalAlign: 'bottom' as const, itemSorter: null },
		tickLine: 'none' as const,
		gridAxis: 'x' as const,
		tooltipAnimationDuration: 0,
	}
}
