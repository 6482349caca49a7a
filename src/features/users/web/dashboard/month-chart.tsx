import type { AdminStats } from '#features/users/contract.ts'
import { DeliveryBars } from '#lib/web/ui/chart/delivery-bars.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'

export function MonthChart({ days = [] }: { days: AdminStats['messages']['days'] | undefined }) {
	return (
		<Card title="Last 30 days" hint="Messages of all accounts by latest status">
			<DeliveryBars label="Messages of the last 30 days by latest status" days={days} />
		</Card>
	)
}
