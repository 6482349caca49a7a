import { plural } from '#lib/numbers.ts'
import { Funnel } from '#lib/web/ui/chart/funnel.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { NewGroup } from '../actions/new-group.tsx'
import type { Report } from '../report.ts'

/** How many came how far: who has read a message has also received it. */
export function DeliveryFunnel({ report }: { report: Report }) {
	const { sent, delivered, read } = report.statusCounts
	const { totalCount, repliedCount } = report.campaign
	return (
		<Card title="Delivery funnel" hint={`Of ${plural(totalCount, 'recipient')}`} actions={<NewGroup report={report} />}>
			<Funnel
				label="Messages accepted, delivered, read and answered"
				total={totalCount}
				steps={[
					{ label: 'Accepted by WhatsApp', count: sent + delivered + read, color: 'sent' },
					{ label: 'Delivered', count: delivered + read, color: 'delivered' },
					{ label: 'Read', count: read, color: 'read' },
					{ label: 'Replied', count: repliedCount, color: 'pending' },
				]}
			/>
		</Card>
	)
}
