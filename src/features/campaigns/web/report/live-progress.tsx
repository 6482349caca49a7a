import { Box, Group } from '@mantine/core'
import { useState } from 'react'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { formatClock } from '#lib/dates.ts'
import { durationText, paceText } from '#lib/durations.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { CampaignProgress } from '../parts.tsx'
import { quietEnd } from './quiet-end.ts'

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
							? `Waits until ${quietEnd(quietUntil)}`
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

interface Sample {
	/** Milliseconds since 1970. */
	at: number
	done: number
}

interface RateInput extends Sample {
	startedAt: string | null
}

/** Milliseconds over which the rate is measured, so that it neither jumps nor lags behind a pause. */
const WINDOW_MS = 30_000

/** Returns the rate in messages a second; null until two readings, or one and the start, are far enough apart. */
function useRate({ done, at, startedAt }: RateInput): number | null {
	const [samples, setSamples] = useState<Sample[]>(() => firstSamples({ done, at, startedAt }))
	const last = samples.at(-1)
	if (last && last.at < at) setSamples([...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }])
	const first = samples[0]
	if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null
	return ((last.done - first.done) * 1000) / (last.at - first.at)
}

/** Returns the first reading of a campaign: with its start, if it has just started. */
function firstSamples({ done, at, startedAt }: RateInput): Sample[] {
	const start = startedAt ? Date.parse(startedAt) : 0
	const now = { at, done }
	return start < at && at - start <= WINDOW_MS ? [{ at: start, done: 0 }, now] : [now]
}
