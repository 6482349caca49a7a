import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { Card } from '#lib/web/ui/card.tsx'
import { CampaignProgress, doneCount } from '../campaign-progress.tsx'
import { useRate } from './use-rate.ts'
import styles from './campaign-detail.module.css'

interface LiveProgressProps {
	campaign: CampaignDetail
	/** When these stats were read. */
	at: string
}

export function LiveProgress({ campaign, at }: LiveProgressProps) {
	const done = doneCount(campaign)
	const rate = useRate({ done, at: Date.parse(at), startedAt: campaign.startedAt })
	const left = campaign.totalCount - done
	return (
		<Card>
			<div className={styles.progress}>
				<span>
					<b className="figures">
						{formatCount(done)} of {formatCount(campaign.totalCount)}
					</b>{' '}
					messages, {percent(campaign.totalCount > 0 ? done / campaign.totalCount : 0)}
				</span>
				<span className={styles.quiet}>{rate ? `${speed(rate)}, ${timeLeft(left / rate)}` : 'Sending...'}</span>
			</div>
			<CampaignProgress campaign={campaign} height={8} />
		</Card>
	)
}

function speed(perSecond: number): string {
	return perSecond >= 1
		? `${formatCount(Math.round(perSecond))} a second`
		: `${Math.max(1, Math.round(perSecond * 60))} a minute`
}

function timeLeft(seconds: number): string {
	if (seconds < 60) return 'less than a minute left'
	if (seconds < 3600) return `about ${Math.round(seconds / 60)} min left`
	const hours = Math.floor(seconds / 3600)
	return `about ${hours} h ${Math.round((seconds % 3600) / 60)} min left`
}
