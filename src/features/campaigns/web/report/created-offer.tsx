import { JUST_CREATED } from '#features/campaigns/paths.ts'
import { PushOffer } from '#features/notifications/web/parts.tsx'
import { useLocation } from '#lib/web/router/hooks.ts'

/** Offers a notification of the end of a campaign that was just created. */
export function CreatedOffer() {
	return useLocation().state === JUST_CREATED && <PushOffer>Tell me when it has finished</PushOffer>
}
