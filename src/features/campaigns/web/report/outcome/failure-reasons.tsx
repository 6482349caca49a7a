import { Box, Button, Group } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { heldBackSegmentPath } from '#features/contacts/paths.ts'
import { THROTTLED_CODE } from '#features/delivery/rules.ts'
import { formatCount } from '#lib/numbers.ts'
import { Link } from '#lib/web/router/link.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useFirst } from '#lib/web/ui/state/use-first.tsx'
import { useIsPhone } from '#lib/web/ui/state/use-is-phone.ts'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import type { Report } from '../report.ts'
import styles from './outcome.module.css'

type FailureReasonsProps = Pick<Report, 'campaign' | 'failures'>

/** Number of reasons shown before "Show all". */
const FIRST = 5

/** Shows the reasons of failures, the most common first, each with its remedy, which is folded on a phone. */
export function FailureReasons({ campaign, failures }: FailureReasonsProps) {
	const { first, showAll } = useFirst(failures, { count: FIRST, name: 'reasons' })
	return (
		<Card title="Why messages failed">
			<ul className={`bare ${styles.failures}`} aria-label="Reasons">
				{first.map((failure) => (
					<Reason key={`${failure.code}:${failure.error}`} campaign={campaign} failure={failure} />
				))}
			</ul>
			{showAll}
		</Card>
	)
}

interface ReasonProps extends Pick<Report, 'campaign'> {
	failure: Report['failures'][number]
}

function Reason({ campaign, failure: { code, error, count, title, meaning, advice, isWorthRetrying } }: ReasonProps) {
	const isPhone = useIsPhone()
	const hasRecipients = campaign.messagesRemovedAt === null && !campaign.isTest
	return (
		<li>
			<details open={!isPhone}>
				<summary>
					<b className="figures">{formatCount(count)}</b>
					<Box component="h4" m={0} fz={14} fw={600} display="inline">
						{title} {isWorthRetrying && <ToneBadge tone="info" label="Can be retried" />}
					</Box>
				</summary>
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
			</details>
		</li>
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
