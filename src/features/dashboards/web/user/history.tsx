import { Box } from '@mantine/core'
import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import type { Dashboard } from './dashboard-tiles.tsx'
import { LatestCampaigns } from './latest-campaigns.tsx'

/** Renders the latest campaigns and the messages of the last seven days; leaves out a part that is empty. */
export function History({ dashboard: { latest, days } }: { dashboard: Dashboard }) {
	return (
		<Box className="abreast" style={{ '--least': '26rem', alignItems: 'stretch' }}>
			{latest.length > 0 && <LatestCampaigns rows={latest} />}
			{days.some(hasMessages) && (
				<Card title="Last seven days">
					<DeliveryBars label="Messages of the last seven days by latest status" days={days} />
				</Card>
			)}
		</Box>
	)
}

function hasMessages({ sent, delivered, read, failed }: Dashboard['days'][number]): boolean {
	return sent + delivered + read + failed > 0
}
