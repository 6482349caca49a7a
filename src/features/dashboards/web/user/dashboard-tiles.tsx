import { IconCalendarMonth, IconChecks, IconCurrencyRupee, IconSend } from '@tabler/icons-react'
import type { dashboards } from '#features/dashboards/contract.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, percent } from '#lib/numbers.ts'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'

export type Dashboard = ResponseOut<typeof dashboards.user>

export function DashboardTiles({ dashboard: { today, month } }: { dashboard: Dashboard }) {
	const waiting = today.pending > 0 ? `${formatCount(today.pending)} waiting to be sent` : 'None waiting to be sent'
	return (
		<div className="tiles">
			<StatTile
				label="Messages today"
				value={formatCount(today.sent)}
				hint={waiting}
				icon={<IconSend size={20} aria-hidden />}
			/>
			<StatTile
				label="Messages in 30 days"
				value={formatCount(month.messages)}
				hint="Sent by your campaigns"
				icon={<IconCalendarMonth size={20} aria-hidden />}
				tone="info"
			/>
			<StatTile
				label="Spent in 30 days"
				value={formatRupees(month.spent)}
				hint="After refunds"
				icon={<IconCurrencyRupee size={20} aria-hidden />}
				tone="warn"
			/>
			<StatTile
				label="Delivered / read"
				value={`${rate(month.deliveryRate)} / ${rate(month.readRate)}`}
				hint={
					month.arriving > 0
						? `Of all recipients in 30 days, ${formatCount(month.arriving)} still arriving`
						: 'Of all recipients in 30 days'
				}
				icon={<IconChecks size={20} aria-hidden />}
			/>
		</div>
	)
}

function rate(share: number | null): string {
	return share === null ? '-' : percent(share)
}
