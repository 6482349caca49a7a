import type { campaignReports } from '#features/campaigns/report-contract.ts'
import { formatCalendarDay, formatClock, indianDay } from '#lib/dates.ts'
import type { ResponseOut } from '#lib/endpoint.ts'

export type Timeline = ResponseOut<typeof campaignReports.timeline>

const KINDS = ['sent', 'delivered', 'read', 'failed', 'clicks'] as const
type Kind = (typeof KINDS)[number]

export type TimelineRow = { Time: string } & Record<Kind, number>

const DAY_SECONDS = 86_400

/**
 * Returns the numbers of messages sent, delivered, read, clicked and failed by the end of each interval, beginning with
 * none. Empty intervals are filled in, so that the time axis is even.
 */
export function cumulated({ spanSeconds, spans }: Timeline): TimelineRow[] {
	const [first] = spans
	const last = spans.at(-1)
	if (!first || !last) return []
	const spanMs = spanSeconds * 1000
	const start = Date.parse(first.at)
	const end = Date.parse(last.at) + spanMs
	const isOneDay = indianDay(start) === indianDay(end)
	const name = (at: number) => timeName(at, { isOneDay, spanSeconds })
	const byTime = new Map(spans.map((span) => [Date.parse(span.at), span]))
	const total: Record<Kind, number> = { sent: 0, delivered: 0, read: 0, failed: 0, clicks: 0 }
	const rows: TimelineRow[] = [{ Time: name(start), ...total }]
	for (let at = start; at < end; at += spanMs) {
		const span = byTime.get(at)
		if (span) for (const kind of KINDS) total[kind] += span[kind]
		rows.push({ Time: name(at + spanMs), ...total })
	}
	return rows
}

/** Returns the label of a time: "10:15 am" within a day, "21 Nov, 10:15 am" over several, "21 Nov" for whole days. */
function timeName(at: number, { isOneDay, spanSeconds }: { isOneDay: boolean; spanSeconds: number }): string {
	const day = formatCalendarDay(indianDay(at))
	if (spanSeconds >= DAY_SECONDS) return day
	return isOneDay ? formatClock(at) : `${day}, ${formatClock(at)}`
}
