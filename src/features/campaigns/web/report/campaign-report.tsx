import { Box } from '@mantine/core'
import { IconArchive, IconCircleX, IconCurrencyRupee, IconSend, IconUsers } from '@tabler/icons-react'
import type { CampaignDetail } from '#features/campaigns/contract.ts'
import { ButtonClicks } from '#features/links/web/parts.tsx'
import { formatDateTime } from '#lib/dates.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { isolate } from '#lib/text/bidi.ts'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { CampaignReason, RefundWaiting, Retries } from './campaign-reason.tsx'
import { LimitProgress } from './limit-progress.tsx'
import { LiveProgress } from './live-progress.tsx'
import { MessageTable } from './message-table.tsx'
import { ControlGroupCard } from './outcome/control-group-card.tsx'
import { FailureReasons } from './outcome/failure-reasons.tsx'
import { TimelineChart } from './outcome/timeline-chart.tsx'
import { ReportLead } from './report-lead.tsx'
import type { ReportProps } from './report.ts'
import { SentTemplate } from './sent-template.tsx'
import { StatusOverview } from './status-overview.tsx'
import styles from './campaign-detail.module.css'

// Loaded late, as the code of this form is larger than the report's.
const RestoredChoice = latePart(() => import('./restored-choice.tsx').then((module) => module.RestoredChoice))

export function CampaignReport({ report, query }: ReportProps) {
	const { campaign, failures } = report
	const removedAt = campaign.messagesRemovedAt
	return (
		<div className="stack">
			{campaign.restored ? (
				<RestoredChoice campaign={campaign} restored={campaign.restored} />
			) : (
				<CampaignReason campaign={campaign} />
			)}
			{isUnderWay(campaign) && <LiveProgress campaign={campaign} at={report.lastRefreshed} />}
			{isUnderWay(campaign) && <LimitProgress campaign={campaign} />}
			<Retries campaign={campaign} />
			<RefundWaiting campaign={campaign} />
			<ReportLead report={report} />
			<div className="tiles">
				<StatTile
					label="Total contacts"
					value={formatCount(campaign.totalCount)}
					hint={<Lines of={[isolate(campaign.audience), leftOutText(campaign)]} />}
					icon={<IconUsers size={20} aria-hidden />}
					tone="neutral"
				/>
				<StatTile
					label="Messages sent"
					value={formatCount(campaign.sentCount)}
					hint={campaign.sentCount > 0 ? 'Including delivered and read' : undefined}
					icon={<IconSend size={20} aria-hidden />}
				/>
				<StatTile
					label="Failed"
					value={formatCount(campaign.failedCount)}
					hint={campaign.failedCount > 0 && campaign.refundWaiting === 0 ? 'Not charged' : undefined}
					icon={<IconCircleX size={20} aria-hidden />}
					tone={campaign.failedCount > 0 ? 'error' : 'neutral'}
				/>
				<StatTile
					label="Total cost"
					value={formatRupees(campaign.cost)}
					hint={<Lines of={[costHint(campaign), passedOnText(campaign)]} />}
					icon={<IconCurrencyRupee size={20} aria-hidden />}
					tone="warn"
				/>
			</div>
			<div className={styles.columns}>
				<div className="stack">
					<StatusOverview report={report} query={query} />
					{failures.length > 0 && <FailureReasons campaign={campaign} failures={failures} />}
				</div>
				<SentTemplate campaign={campaign} />
			</div>
			{campaign.countsClicks && <ButtonClicks campaign={campaign} at={report.lastRefreshed} />}
			{campaign.heldOut && <ControlGroupCard campaign={campaign} group={campaign.heldOut} />}
			{removedAt === null && (
				<TimelineChart id={campaign._id} at={report.lastRefreshed} countsClicks={campaign.countsClicks} />
			)}
			{removedAt === null ? <MessageTable report={report} query={query} /> : <MessagesRemoved at={removedAt} />}
		</div>
	)
}

/** Renders texts on lines of their own; nothing for null. */
function Lines({ of }: { of: readonly (string | null)[] }) {
	return of.map(
		(text) =>
			text !== null && (
				<Box key={text} component="span" display="block">
					{text}
				</Box>
			),
	)
}

function MessagesRemoved({ at }: { at: string }) {
	return (
		<Card title="Sent messages">
			<EmptyState
				icon={<IconArchive size={32} stroke={1.5} aria-hidden />}
				title="The list of recipients was deleted"
				hint={`Names and numbers were deleted on ${formatDateTime(at)}, as for every campaign of that age. The figures and the cost stay.`}
			/>
		</Card>
	)
}

function isUnderWay({ status, startedAt }: CampaignDetail): boolean {
	return status === 'processing' || (status === 'paused' && startedAt !== null)
}

function costHint({ status, onHold, price, hasMessagePrices }: CampaignDetail): string {
	if (status === 'draft') return 'Charged once it starts'
	if (onHold > 0) return `${formatRupees(onHold)} on hold`
	return `${formatRupees(price)} a message${hasMessagePrices ? ' in India' : ''}`
}

/** Returns the recipients who were left out, by reason; null without any. */
function leftOutText({ cappedCount, unpricedCount }: CampaignDetail): string | null {
	const parts = [
		...(cappedCount > 0 ? [`${formatCount(cappedCount)} who already got enough marketing messages`] : []),
		...(unpricedCount > 0 ? [`${formatCount(unpricedCount)} in countries that are blocked or have no price`] : []),
	]
	return parts.length > 0 ? `Left out: ${parts.join(', ')}` : null
}

/** Returns the sum that was refunded because WhatsApp did not charge the messages; null without any. */
function passedOnText({ passedOn }: CampaignDetail): string | null {
	return (
		passedOn &&
		`${formatRupees(passedOn.amount)} refunded: WhatsApp did not charge ${plural(passedOn.messages, 'message')}`
	)
}
