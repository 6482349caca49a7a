import { Progress } from '@mantine/core'
import { shownStatus, type MessageStatus, type CampaignStatus } from '#features/delivery/rules.ts'
import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'
import type { CampaignRow } from '../contract.ts'

const CAMPAIGN_TONES: Partial<Record<CampaignStatus, Tone>> = {
	pending: 'warn',
	processing: 'info',
	completed: 'ok',
	failed: 'error',
}

const MESSAGE_TONES: Record<MessageStatus, Tone> = {
	pending: 'warn',
	sent: 'neutral',
	delivered: 'ok',
	read: 'info',
	failed: 'error',
}

export function CampaignStatusBadge({ status }: { status: CampaignStatus }) {
	return <ToneBadge tone={CAMPAIGN_TONES[status] ?? 'neutral'} label={status} />
}

export function MessageStatusBadge({ status }: { status: MessageStatus }) {
	const shown = shownStatus(status)
	return <ToneBadge tone={MESSAGE_TONES[shown]} label={shown} />
}

/** Returns the number of messages that are no longer pending. */
export function doneCount({ totalCount, pendingCount }: Pick<CampaignRow, 'totalCount' | 'pendingCount'>): number {
	return totalCount - pendingCount
}

export function CampaignProgress({ campaign, height = 4 }: { campaign: CampaignRow; height?: number }) {
	const share = campaign.totalCount > 0 ? (doneCount(campaign) / campaign.totalCount) * 100 : 0
	return (
		<Progress.Root size={height} transitionDuration={180}>
			<Progress.Section value={share} aria-label={`Progress of ${campaign.name}`} />
		</Progress.Root>
	)
}
