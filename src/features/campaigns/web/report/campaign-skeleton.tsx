import { Skeleton } from '@mantine/core'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'

/** The shape of a campaign that is on its way. */
export function CampaignSkeleton() {
	const visible = useDelayed(true)
	if (!visible) return null
	return (
		<div className="stack" role="status" aria-label="Loading the campaign">
			<div className="tiles">
				{['Total contacts', 'Messages sent', 'Failed', 'Total cost'].map((label) => (
					<StatTile key={label} label={label} value={null} />
				))}
			</div>
			<Skeleton height={320} radius="lg" />
		</div>
	)
}
