import { Alert, Anchor } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { CampaignRow } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { PushOffer } from '#features/notifications/web/parts.tsx'
import { formatDateTime } from '#lib/dates.ts'
import { plural } from '#lib/numbers.ts'
import { isolate } from '#lib/text/bidi.ts'

/** Links to the campaign that was just created. */
export function CreatedNotice({ campaign }: { campaign: CampaignRow }) {
	const notice = useRef<HTMLDivElement>(null)
	useEffect(() => {
		notice.current?.focus({ preventScroll: true })
		window.scrollTo({ top: 0 })
	}, [])
	return (
		<Alert
			ref={notice}
			tabIndex={-1}
			mb={16}
			title={`“${isolate(campaign.name)}” is ${isLater(campaign) ? `scheduled for ${formatDateTime(campaign.opensAt)} IST` : 'on its way'}`}
			icon={<IconCircleCheck size={20} aria-hidden />}
		>
			{plural(campaign.totalCount, 'message')} will be sent.{' '}
			<Anchor component={Link} to={campaignPath(campaign._id)} inherit fw={600} underline="always">
				Watch the campaign
			</Anchor>
			<PushOffer>Tell me when it has finished</PushOffer>
		</Alert>
	)
}

function isLater({ createdAt, opensAt }: CampaignRow): boolean {
	return Date.parse(opensAt) - Date.parse(createdAt) > 60_000
}
