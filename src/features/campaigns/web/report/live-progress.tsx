import { Box, Group } from '@mantine/core'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { formatClock, spellClock } from '#lib/dates.ts'
import { durationText, paceText } from '#lib/durations.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useRate } from '#lib/web/ui/state/use-rate.ts'
import { CampaignProgress } from '../parts.tsx'

interface LiveProgressProps {
	campaign: CampaignDetail
	/** Time at which the figures were read. */
	at: string
}

/** Shows a campaign's progress, rate and estimated end. */
export function LiveProgress({ campaign, at }: LiveProgressProps) {
	const { totalCount, pendingCount: left, startedAt, status, quietUntil, limitedUntil } = campaign
	const done = totalCount - left
	const rate = useRate({ done, at: Date.parse(at), startedAt })
	return (
		<Card>
			<Group gap="4px 16px" align="stretch" justify="space-between" mb={10}>
				<span>
					<b className="figures">
						{formatCount(done)} of {formatCount(totalCount)}
					</b>{' '}
					messages, {percent(totalCount > 0 ? done / totalCount : 0)}
				</span>
				<Box component="span" c="dimmed">
					{status === 'paused'
						? 'Paused'
						: quietUntil !== null
							? `Waits until ${spellClock(quietUntil)}`
							: limitedUntil !== null
								? 'Waits for WhatsApp’s daily limit'
								: rate && left > 0
									? outlook({ left, rate, at })
									: left > 0 && 'Sending...'}
				</Box>
			</Group>
			<CampaignProgress campaign={campaign} height={8} />
		</Card>
	)
}

function outlook({ left, rate, at }: { left: number; rate: number; at: string }): string {
	const seconds = left / rate
	const end = formatClock(Date.parse(at) + seconds * 1000)
	const until = seconds >= 60 && seconds < 86_400 ? `, until ${end}` : ''
	return `${paceText(rate)}, ${durationText(seconds)} left${until}`
}
