import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'

export function AccountBadge({ isActive }: { isActive: boolean }) {
	return <ToneBadge tone={isActive ? 'ok' : 'error'} label={isActive ? 'Active' : 'Inactive'} />
}
