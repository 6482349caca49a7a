import { lazy } from 'react'
import { ChartFrame, type ChartProps } from './chart-frame.tsx'

const Drawing = lazy(async () => ({ default: (await import('./lines-drawing.tsx')).LinesDrawing }))

/** One line per series, over the rows in their order. */
export function Lines(props: ChartProps) {
	return (
		<ChartFrame {...props}>
			<Drawing {...props} />
		</ChartFrame>
	)
}
