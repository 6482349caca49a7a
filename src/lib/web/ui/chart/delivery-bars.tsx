import { formatCalendarDay } from '#lib/dates.ts'
import { formatCount } from '#lib/numbers.ts'
import { Bars } from './bars.tsx'
import type { ChartSeries } from './chart-frame.tsx'

const SERIES: readonly ChartSeries[] = [
	{ name: 'read', label: 'Read', color: 'read' },
	{ name: 'delivered', label: 'Delivered', color: 'delivered' },
	{ name: 'sent', label: 'Sent', color: 'sent' },
	{ name: 'failed', label: 'Failed', color: 'failed' },
]

/** Message counts of a day. A read message counts as delivered and sent too, a failed one only as failed. */
interface DeliveryDay {
	/** Day such as 2026-11-21. */
	day: string
	sent: number
	delivered: number
	read: number
	failed: number
}

interface DeliveryBarsProps {
	/** Description of the bars, such as "Messages of the last seven days by latest status". */
	label: string
	days: readonly DeliveryDay[]
}

/** Renders a bar per day that counts each message once, by its latest status. */
export function DeliveryBars({ label, days }: DeliveryBarsProps) {
	return <Bars label={label} data={days.map(stacked)} x="Day" series={SERIES} format={formatCount} />
}

function stacked({ day, sent, delivered, read, failed }: DeliveryDay) {
	return {
		Day: formatCalendarDay(day),
		read,
		delivered: Math.max(0, delivered - read),
		sent: Math.max(0, sent - Math.max(delivered, read)),
		failed,
	}
}
