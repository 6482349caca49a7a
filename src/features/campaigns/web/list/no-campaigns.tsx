import { Button } from '@mantine/core'
import { IconSearch, IconSpeakerphone } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'

/** Filtered: a search or a status hides what there may be. */
export function NoCampaigns({ isFiltered }: { isFiltered: boolean }) {
	const [, setAddress] = useSearchParams()
	if (isFiltered)
		return (
			<EmptyState
				title="No campaigns match"
				hint="Try part of the name, or another status."
				icon={<IconSearch size={32} stroke={1.5} aria-hidden />}
				action={
					<Button variant="default" onClick={() => setAddress({})}>
						Show all campaigns
					</Button>
				}
			/>
		)
	return (
		<EmptyState
			icon={<IconSpeakerphone size={32} stroke={1.5} aria-hidden />}
			title="No campaigns found"
			hint="Create your first campaign to get started"
			action={
				<Button component={Link} to={campaignPaths.create}>
					Create Campaign
				</Button>
			}
		/>
	)
}
