import { Box, Button, Group } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { heldBackSegmentPath } from '#features/contacts/paths.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import type { Report } from '../report.ts'
import styles from './outcome.module.css'

type FailureReasonsProps = Pick<Report, 'campaign' | 'failures'>

/** Shows the reasons of failures, the most common first, each with its remedy. */
export function FailureReasons({ campaign, failures }: FailureReasonsProps) {
	const hasRecipients = campaign.messagesRemovedAt === null && !campaign.isTest
	return (
		<Card title="Why messages failed">
			<ul className={`bare ${styles.failures}`} aria-label="Reasons">
				{failures.map(({ code, error, count, title, meaning, advice, isWorthRetrying }) => (
					<li key={`${code}:${error}`}>
						<Group align="baseline" justify="space-between" wrap="nowrap">
							<Box component="h4" m={0} fz={14} fw={600}>
								{title} {isWorthRetrying && <ToneBadge tone="info" label="Can be retried" />}
							</Box>
							<b className="figures">{formatCount(count)}</b>
						</Group>
						<p>{meaning}</p>
						<p>
							<b>What to do:</b> {advice}
						</p>
						{code === THROTTLED_CODE && hasRecipients && <HeldBackSegment campaign={campaign} />}
						{code > 0 && (
							<details className="unfolds fine">
								<summary>Details</summary>
								WhatsApp says: {error}{' '}
								<span className="figures">
									({code}) <CopyButton text={`${error} (${code})`} what="the error" />
								</span>
							</details>
						)}
					</li>
				))}
			</ul>
		</Card>
	)
}

/** Renders the link to a new segment of the people whose messages WhatsApp held back, for another message on another day. */
function HeldBackSegment({ campaign: { _id, audienceType } }: Pick<Report, 'campaign'>) {
	return (
		<Group gap="4px 12px" my={4}>
			<Button
				component={Link}
				to={heldBackSegmentPath(_id)}
				variant="default"
				leftSection={<IconFilter size={16} aria-hidden />}
			>
				Save as a segment
			</Button>
			{audienceType === 'file' && <small className="fine">A segment has only people in your contacts.</small>}
		</Group>
	)
}
