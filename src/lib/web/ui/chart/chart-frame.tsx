import { Box } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'

export interface ChartSeries {
	/** The series' key in each row of `data`. */
	name: string
	/** Name in legend, tooltip and table. */
	label: string
	color: 'sent' | 'delivered' | 'read' | 'failed' | 'pending'
}

export interface ChartProps {
	/** Description of the values, such as "Messages of the last seven days". */
	label: string
	data: readonly Record<string, string | number>[]
	/** Key of each row's name on the x axis. */
	x: string
	series: readonly ChartSeries[]
	height?: number
	/** Formats a value in tooltip and table. */
	format?: (value: number) => string
	/** Formats a value on the narrow axis; `format` by default. */
	axisFormat?: (value: number) => string
}

interface ChartFrameProps extends ChartProps {
	children: ReactNode
}

/** Reserves space for a chart and loads it when it scrolls into view. Adds its values as a table for screen readers. */
export function ChartFrame({ label, data, x, series, height = 260, format = String, children }: ChartFrameProps) {
	const { ref, inViewport } = useInViewport()
	const [seen, setSeen] = useState(false)
	if (inViewport && !seen) setSeen(true)
	return (
		<Box component="figure" miw={0} m={0} ref={ref}>
			<Box miw={0} style={{ height }}>
				{seen && children}
			</Box>
			<figcaption className="visually-hidden">
				<table>
					<caption>{label}</caption>
					<thead>
						<tr>
							<th scope="col">{x}</th>
							{series.map((one) => (
								<th key={one.name} scope="col">
									{one.label}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{data.map((row) => (
							<tr key={String(row[x])}>
								<th scope="row">{row[x]}</th>
								{series.map(({ name }) => (
									<td key={name}>{format(Number(row[name] ?? 0))}</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</figcaption>
		</Box>
	)
}
