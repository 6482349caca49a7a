import { ToneBadge } from '#lib/web/ui/tone-badge.tsx'

export function AccountBadge({ isActive }: { isActive: boolean }) {
	return <ToneBadge tone={isActive ? 'ok' : 'error'} label={isActive ? 'Active' : 'Inactive'} />
}
