import { lazy } from 'react'
import { ChartFrame, type ChartProps } from './chart-frame.tsx'

const Drawing = lazy(async () => ({ default: (await import('./bars-drawing.tsx')).BarsDrawing }))

/** One stacked bar per row. */
export function Bars(props: ChartProps) {
	return (
		<ChartFrame {...props}>
			<Drawing {...props} />
		</ChartFrame>
	)
}
