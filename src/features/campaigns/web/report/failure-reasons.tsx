import { formatCount } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/card.tsx'
import type { Report } from './report.ts'
import styles from './campaign-detail.module.css'

/** What went wrong, the commonest first. */
export function FailureReasons({ failures }: { failures: Report['failures'] }) {
	return (
		<Card title="Why messages failed">
			<ul className={styles.failures}>
				{failures.map(({ error, count }) => (
					<li key={error}>
						<span>{error}</span>
						<b className="figures">{formatCount(count)}</b>
					</li>
				))}
			</ul>
		</Card>
	)
}
