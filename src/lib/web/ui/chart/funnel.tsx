import { Group, Stack } from '@mantine/core'
import { formatCount, percent } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import styles from './funnel.module.css'

export interface FunnelStep {
	label: string
	/** React key, when labels may repeat. */
	key?: string
	count: number
	/** Words before the count. */
	hint?: string | undefined
	color: 'sent' | 'delivered' | 'read' | 'failed' | 'pending'
	/** URL of the list behind the value. */
	to?: string
}

interface FunnelProps {
	/** Description of the steps, such as "Messages by status". */
	label: string
	/** The value of 100 %. */
	total: number
	steps: readonly FunnelStep[]
}

/** Renders a bar per step with its count and its share of the total. */
export function Funnel({ label, total, steps }: FunnelProps) {
	return (
		<Stack component="ul" className="bare" gap={12} aria-label={label}>
			{steps.map(({ label: name, key = name, count, hint, color, to }) => {
				const share = total > 0 ? count / total : 0
				return (
					<li key={key}>
						<Group className={styles.texts} align="stretch" justify="space-between" wrap="nowrap">
							{to ? <Link to={to}>{name}</Link> : <span>{name}</span>}
							<span className="figures">
								{hint && <small>{hint}</small>} <b>{formatCount(count)}</b> <small>{percent(share)}</small>
							</span>
						</Group>
						<div className={styles.track} data-edge aria-hidden>
							{count > 0 && (
								<div
									className={styles.bar}
									style={{ width: `${share * 100}%`, background: `var(--app-chart-${color})` }}
								/>
							)}
						</div>
					</li>
				)
			})}
		</Stack>
	)
}
