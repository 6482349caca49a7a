import { shownStatus, type MessageStatus, type CampaignStatus } from '#features/delivery/rules.ts'
import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'

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
