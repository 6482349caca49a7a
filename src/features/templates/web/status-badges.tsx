import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'

const STATUS_TONES: Record<string, Tone> = { APPROVED: 'ok', PENDING: 'warn', REJECTED: 'error' }
const QUALITY_TONES: Record<string, Tone> = { HIGH: 'ok', MEDIUM: 'warn', LOW: 'error' }

/** Meta has further statuses than these three, and adds to them: they are neutral. */
export function TemplateStatusBadge({ status }: { status: string }) {
	return <ToneBadge tone={STATUS_TONES[status] ?? 'neutral'} label={status} />
}

/** A template that few have received yet has no quality. */
export function QualityBadge({ quality }: { quality: string | null }) {
	const label = quality ?? 'UNKNOWN'
	return <ToneBadge tone={QUALITY_TONES[label] ?? 'neutral'} label={label} />
}
