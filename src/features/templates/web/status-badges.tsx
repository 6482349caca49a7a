import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'

const STATUS_TONES: Record<string, Tone> = { APPROVED: 'ok', PENDING: 'warn', REJECTED: 'error' }
const QUALITY_TONES: Record<string, Tone> = { HIGH: 'ok', MEDIUM: 'warn', LOW: 'error' }

/** Badge of a template's status. Meta has further statuses and adds new ones; all others are neutral. */
export function TemplateStatusBadge({ status }: { status: string }) {
	return <ToneBadge tone={STATUS_TONES[status] ?? 'neutral'} label={status} />
}

/** Badge of a template's quality, UNKNOWN while few people have received it. */
export function QualityBadge({ quality }: { quality: string | null }) {
	const label = quality ?? 'UNKNOWN'
	return <ToneBadge tone={QUALITY_TONES[label] ?? 'neutral'} label={label} />
}
