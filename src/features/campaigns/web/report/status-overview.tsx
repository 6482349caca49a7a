import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { briefToast } from '#lib/web/toast.tsx'
import { Funnel } from '#lib/web/ui/chart/funnel.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { fetchErrorText } from '../campaign-errors.ts'
import { STATUS_WORDS } from '../status-words.ts'
import type { ReportProps } from './report.ts'

/** How many messages are in each status now. */
export function StatusOverview({ report, query }: ReportProps) {
	const [busy, setBusy] = useState(false)
	const { pathname } = useLocation()
	const refresh = async () => {
		setBusy(true)
		const { error } = await query.refetch()
		setBusy(false)
		if (!error) return
		const words = { refused: 'Failed to refresh statuses', unreachable: 'Error refreshing statuses' }
		briefToast.failure(error, fetchErrorText(error, words))
	}
	return (
		<Card
			title="Status overview"
			hint={
				<>
					Each message is counted once, at its latest status. Last updated <DateTime iso={report.lastRefreshed} />
				</>
			}
			actions={
				<Button
					variant="default"
					leftSection={<IconRefresh size={16} aria-hidden />}
					disabled={busy}
					aria-busy={busy}
					onClick={refresh}
				>
					Refresh Status
				</Button>
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
