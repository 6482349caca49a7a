import { latePart } from '../late-part.tsx'
import { ChartFrame, type ChartProps } from './chart-frame.tsx'

const Drawing = latePart(() => import('./lines-drawing.tsx').then((module) => module.LinesDrawing))

/** Renders one line per series over the rows in order. */
export function Lines(props: ChartProps) {
	return (
		<ChartFrame {...props}>
			<Drawing {...props} />
		</ChartFrame>
	)
}
