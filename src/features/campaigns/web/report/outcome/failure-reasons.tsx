import { formatCount } from '#lib/numbers.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { RetryFailed } from '../actions/retry-failed.tsx'
import type { Report } from '../report.ts'
import styles from './outcome.module.css'

interface FailureReasonsProps {
	id: string
	failures: Report['failures']
}

/** What went wrong, the commonest first, and what to do about it. */
export function FailureReasons({ id, failures }: FailureReasonsProps) {
	const isRetryable = failures.some(({ isWorthRetrying }) => isWorthRetrying)
	return (
		<Card title="Why messages failed" actions={isRetryable && <RetryFailed id={id} />}>
			<ul className={styles.failures} aria-label="Reasons">
				{failures.map(({ code, error, count, title, meaning, advice, isWorthRetrying }) => (
					<li key={`${code}:${error}`}>
						<div className={styles.reason}>
							<h4>{title}</h4>
							<b className="figures">{formatCount(count)}</b>
						</div>
						<p>{meaning}</p>
						<p>
							<b>What to do:</b> {advice}
						</p>
						<p className={styles.original}>
							{isWorthRetrying && <ToneBadge tone="info" label="Worth a retry" />}
							{code > 0 && (
								<span>
									WhatsApp says: {error}{' '}
									<span className="figures">
										({code}) <CopyButton text={`${error} (${code})`} what="the error" />
									</span>
								</span>
							)}
						</p>
					</li>
				))}
			</ul>
		</Card>
	)
}
