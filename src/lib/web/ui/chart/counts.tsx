import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { FunnelStep } from './funnel.tsx'
import styles from './counts.module.css'

interface CountsProps {
	/** Description of the counts, such as "Messages by latest status". */
	label: string
	of: readonly (FunnelStep & { to: string })[]
}

/** Renders a named list with a count per part of a whole, each with its colour and a link, in as few lines as fit. */
export function Counts({ label, of }: CountsProps) {
	return (
		<div>
			<p className="fine" aria-hidden>
				{label}
			</p>
			<ul className={`bare ${styles.counts}`} aria-label={label}>
				{of.map(({ label: name, count, color, to }) => (
					<li key={name} style={{ borderColor: `var(--app-chart-${color})` }}>
						<Link to={to}>{name}</Link> <b className="figures">{formatCount(count)}</b>
					</li>
				))}
			</ul>
		</div>
	)
}
