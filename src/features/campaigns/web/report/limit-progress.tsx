import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { planText } from '#features/delivery/web/parts.tsx'
import { formatDateTime, spellDay } from '#lib/dates.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import styles from './campaign-detail.module.css'

/** Shows the plan of a campaign that WhatsApp's limit spreads over days, and the messages sent on each day. */
export function LimitProgress({ campaign }: { campaign: CampaignDetail }) {
	const { limit, plan, limitedUntil, progressByDay, pendingCount, dailyStart } = campaign
	if (limitedUntil === null && (plan === null || plan.days < 2)) return null
	const days = progressByDay.map(({ day, sent }) => [spellDay(day), `${formatCount(sent)} sent`] as const)
	return (
		<Card
			title="WhatsApp’s daily limit"
			hint={limit && `${plural(limit.perDay, 'person', 'people')} in 24 hours, ${formatCount(limit.left)} left now`}
		>
			<Facts
				className={styles.days}
				ruled
				of={{
					...Object.fromEntries(days),
					Left: plan ? planText(pendingCount, plan) : formatCount(pendingCount),
					'Next messages': limitedUntil && `${formatDateTime(limitedUntil)} IST`,
					'Each day from': dailyStart && `${dailyStart} IST`,
				}}
			/>
		</Card>
	)
}
