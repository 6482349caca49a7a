import type { ChartProps } from './chart-frame.tsx'

/** Space for the outermost labels of both axes. */
export const CHART_MARGIN = { top: 8, right: 8 }

/** Returns the settings that both kinds of chart share, without animation. */
export function chartSettings({ data, x, series, height = 260, format, axisFormat = format }: ChartProps) {
	return {
		h: height,
		data: [...data],
		dataKey: x,
		series: series.map(({ name, label, color }) => ({ name, label, color: `var(--app-chart-${color})` })),
		valueFormatter: format,
		withLegend: series.length > 1,
		// The legend has the order of the series instead of the alphabet.
		legendProps: { verticalAlign: 'bottom' as const, itemSorter: null },
		// The axis takes the width of its longest label.
		yAxisProps: {
			width: 'auto' as const,
			tick: { fontSize: 12, fill: 'currentColor' },
			tickMargin: 10,
			...(axisFormat && { tickFormatter: axisFormat }),
		},
		tickLine: 'none' as const,
		gridAxis: 'x' as const,
		tooltipAnimationDuration: 0,
	}
}
