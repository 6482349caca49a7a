import { Group, Stack } from '@mantine/core'
import { Link } from 'react-router'
import { formatCount, percent } from '#lib/numbers.ts'
import styles from './funnel.module.css'

interface FunnelStep {
	label: string
	count: number
	color: 'sent' | 'delivered' | 'read' | 'failed' | 'pending'
	/** Where the list behind the value is. */
	to?: string
}

interface FunnelProps {
	/** What the steps are: "Messages by status". */
	label: string
	/** What 100 % is. */
	total: number
	steps: readonly FunnelStep[]
}

/** Bars under each other, each with its count and its part of the total. */
export function Funnel({ label, total, steps }: FunnelProps) {
	return (
		<Stack component="ul" className="bare" gap={12} aria-label={label}>
			{steps.map(({ label: name, count, color, to }) => {
				const share = total > 0 ? count / total : 0
				return (
					<li key={name}>
						<Group className={styles.texts} align="stretch" justify="space-between" wrap="nowrap">
							{to ? <Link to={to}>{name}</Link> : <span>{name}</span>}
							<span className="figures">
								<b>{formatCount(count)}</b> <small>{percent(share)}</small>
							</span>
						</Group>
						<div className={styles.track} aria-hidden>
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
