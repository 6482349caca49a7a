import { Group, Stack } from '@mantine/core'
import { MessageStatusBadge } from '#features/campaigns/web/parts.tsx'
import type { CustomerCampaign } from '#features/customers/contract.ts'
import { plural } from '#lib/numbers.ts'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { CampaignLink } from '../campaign-link.tsx'

/** Renders the latest campaigns to a customer, each with the status of its message. */
export function Campaigns({ campaigns }: { campaigns: readonly CustomerCampaign[] }) {
	if (campaigns.length === 0) return <p className="quiet">No campaign has been sent to this customer.</p>
	return (
		<Stack component="ul" className="bare" gap={12}>
			{campaigns.map(({ _id, name, status, at, clicks, hasReplied }) => (
				<li key={_id}>
					<CampaignLink id={_id}>
						<UserText text={name} />
					</CampaignLink>
					<Group gap="4px 8px" mt={2}>
						<MessageStatusBadge status={status} />
						<span className="fine">
							<DateTime iso={at} as="day" />
							{hasReplied && ', replied'}
							{clicks > 0 && `, ${plural(clicks, 'click')}`}
						</span>
					</Group>
				</li>
			))}
		</Stack>
	)
}
