import { Group } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import {
	ARRIVING_MEANS,
	DELIVERED_MEANS,
	openText,
	QUOTED_LABEL,
	QUOTED_MEANS,
	REPLIED_MEANS,
	UNCONFIRMED_MEANS,
} from '#features/campaigns/rules.ts'
import { plural } from '#lib/numbers.ts'
import { useLocation } from '#lib/web/router/hooks.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Counts } from '#lib/web/ui/chart/counts.tsx'
import { Funnel } from '#lib/web/ui/chart/funnel.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Meanings } from '#lib/web/ui/value/meanings.tsx'
import { fetchErrorText } from '../campaign-errors.ts'
import { STATUS_WORDS } from '../status-words.ts'
import type { Report, ReportProps } from './report.ts'

// Loaded late, as the code of its form is larger than the report's.
const NewGroup = latePart(() => import('./actions/new-group.tsx').then((module) => module.NewGroup))

const WORDS = { refused: 'Failed to refresh statuses', unreachable: 'Error refreshing statuses' }

/** Shows the messages that reached each step, and the number in each status. */
export function StatusOverview({ report, query }: ReportProps) {
	const { pathname } = useLocation()
	const { sentCount, arrivingCount } = report.campaign
	const open = openText(report.campaign)
	return (
		<Card
			title="Status overview"
			hint={
				<>
					{openHint(report.campaign)}. Last updated <DateTime iso={report.lastRefreshed} />
				</>
			}
			actions={
				<ActionButton
					variant="default"
					leftSection={<IconRefresh size={16} aria-hidden />}
					act={() => query.refetch({ throwOnError: true })}
					failed={(error) => briefToast.failure(error, fetchErrorText(error, WORDS))}
				>
					Refresh Status
				</ActionButton>
			}
		>
			<div className="stack">
				{sentCount > 0 && <DeliveryFunnel report={report} />}
				<Counts
					label="Messages by latest status"
					of={STATUS_WORDS.map(({ status, word }) => ({
						label: word,
						count: report.statusCounts[status],
						color: status,
						to: `${pathname}?status=${status}#messages`,
					}))}
				/>
				{sentCount > 0 && (
					<Group gap="4px 16px" justify="space-between" align="start">
						<Meanings
							of={{
								Delivered: DELIVERED_MEANS,
								'Still arriving': open && arrivingCount ? ARRIVING_MEANS : null,
								'Not confirmed': open && !arrivingCount ? UNCONFIRMED_MEANS : null,
								Replied: REPLIED_MEANS,
								[QUOTED_LABEL]: QUOTED_MEANS,
								'By latest status': 'Each message is counted once.',
							}}
						/>
						<NewGroup report={report} />
					</Group>
				)}
			</div>
		</Card>
	)
}

/** Returns "Of 411 recipients", with the messages whose delivery is still open. */
function openHint(campaign: Report['campaign']): string {
	const { totalCount, arrivingCount } = campaign
	const open = openText(campaign, `of ${plural(totalCount, 'person', 'people')} WhatsApp has not confirmed delivery`)
	if (open && arrivingCount === 0) return `For ${open}`
	return `Of ${plural(totalCount, 'recipient')}${open ? `, ${open}` : ''}`
}

/** Shows the messages that reached each step as shares of all recipients. A read message counts as delivered, too. */
function DeliveryFunnel({ report: { campaign, statusCounts } }: { report: Report }) {
	const { sent, delivered, read } = statusCounts
	const { totalCount, repliedCount, quotedCount, countsClicks, clickedCount, clickCount } = campaign
	const clicked = { label: 'Clicked a link', count: clickedCount, to: '?status=clicked#messages' }
	return (
		<>
			<Funnel
				label="Messages accepted, delivered, read and answered"
				total={totalCount}
				steps={[
					{ label: 'Accepted by WhatsApp', count: sent + delivered + read, color: 'sent' },
					{ label: 'Delivered', count: delivered + read, color: 'delivered' },
					{ label: 'Read', count: read, color: 'read' },
					{ label: 'Replied', count: repliedCount, color: 'pending' },
					{ label: QUOTED_LABEL, count: quotedCount, color: 'pending' },
					...(countsClicks ? [{ ...clicked, color: 'pending' as const }] : []),
				]}
			/>
			{clickCount > clickedCount && (
				<p className="quiet">{plural(clickCount, 'click')} in all: some people clicked more than once.</p>
			)}
		</>
	)
}
