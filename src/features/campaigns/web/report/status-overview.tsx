import { IconRefresh } from '@tabler/icons-react'
import { useLocation } from '#lib/web/router/hooks.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Funnel } from '#lib/web/ui/chart/funnel.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { fetchErrorText } from '../campaign-errors.ts'
import { STATUS_WORDS } from '../status-words.ts'
import type { ReportProps } from './report.ts'

const WORDS = { refused: 'Failed to refresh statuses', unreachable: 'Error refreshing statuses' }

/** Shows the number of messages in each status. */
export function StatusOverview({ report, query }: ReportProps) {
	const { pathname } = useLocation()
	return (
		<Card
			title="Status overview"
			hint={
				<>
					Each message is counted once, at its latest status. Last updated <DateTime iso={report.lastRefreshed} />
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
			<Funnel
				label="Messages by latest status"
				total={report.campaign.totalCount}
				steps={STATUS_WORDS.map(({ status, word }) => ({
					label: word,
					count: report.statusCounts[status],
					color: status,
					to: `${pathname}?status=${status}#messages`,
				}))}
			/>
		</Card>
	)
}
