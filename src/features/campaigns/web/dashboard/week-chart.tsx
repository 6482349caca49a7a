import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import type { Dashboard } from './dashboard-tiles.tsx'

export function WeekChart({ days = [] }: { days: Dashboard['days'] | undefined }) {
	return (
		<Card title="Last seven days" hint="Messages by latest status">
			<DeliveryBars label="Messages of the last seven days by latest status" days={days} />
		</Card>
	)
}
