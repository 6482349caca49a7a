import { latePart } from '../late-part.tsx'
import { ChartFrame, type ChartProps } from './chart-frame.tsx'

const Drawing = latePart(() => import('./bars-drawing.tsx').then((module) => module.BarsDrawing))

/** Renders one stacked bar per row. */
export function Bars(props: ChartProps) {
	return (
		<ChartFrame {...props}>
			<Drawing {...props} />
		</ChartFrame>
	)
}
