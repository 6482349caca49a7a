import { Progress } from '@mantine/core'
import type { CampaignRow } from '../contract.ts'

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
