import { lazy } from 'react'
import { ChartFrame, type ChartProps } from './chart-frame.tsx'

const Drawing = lazy(async () => ({ default: (await import('./area-line-drawing.tsx')).AreaLineDrawing }))

/** Lines over time, with a light area under each. */
export function AreaLine(props: ChartProps) {
	return (
		<ChartFrame {...props}>
			<Drawing {...props} />
		</ChartFrame>
	)
}
