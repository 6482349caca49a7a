import { Box, Group } from '@mantine/core'
import { formatCount } from '#lib/numbers.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { RetryFailed } from '../actions/retry-failed.tsx'
import type { Report } from '../report.ts'
import styles from './outcome.module.css'

interface FailureReasonsProps {
	id: string
	name: string
	failures: Report['failures']
}

/** Shows the reasons of failures, the most common first, each with its remedy. */
export function FailureReasons({ id, name, failures }: FailureReasonsProps) {
	const isRetryable = failures.some(({ isWorthRetrying }) => isWorthRetrying)
	return (
		<Card title="Why messages failed" actions={isRetryable && <RetryFailed id={id} name={name} />}>
			<ul className={`bare ${styles.failures}`} aria-label="Reasons">
				{failures.map(({ code, error, count, title, meaning, advice, isWorthRetrying }) => (
					<li key={`${code}:${error}`}>
						<Group align="baseline" justify="space-between" wrap="nowrap">
							<Box component="h4" m={0} fz={14} fw={600}>
								{title}
							</Box>
							<b className="figures">{formatCount(count)}</b>
						</Group>
						<p>{meaning}</p>
						<p>
							<b>What to do:</b> {advice}
						</p>
						<Group component="p" className="fine" lh="1.125rem" gap="4px 8px">
							{isWorthRetrying && <ToneBadge tone="info" label="Can be retried" />}
							{code > 0 && (
								<span>
									WhatsApp says: {error}{' '}
									<span className="figures">
										({code}) <CopyButton text={`${error} (${code})`} what="the error" />
									</span>
								</span>
							)}
						</Group>
					</li>
				))}
			</ul>
		</Card>
	)
}
