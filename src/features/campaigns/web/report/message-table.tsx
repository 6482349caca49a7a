import { Box } from '@mantine/core'
import { IconMessageOff } from '@tabler/icons-react'
import { RecipientFilter, type SentMessage } from '#features/campaigns/contract.ts'
import { chatPath } from '#features/chats/paths.ts'
import { plural } from '#lib/numbers.ts'
import { displayNumber, ERASED_PREFIX } from '#lib/phone/phone.ts'
import { Link } from '#lib/web/router/link.tsx'
import { briefToast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { Filters } from '#lib/web/ui/table/filters/filters.tsx'
import { ListCard, useListPage } from '#lib/web/ui/table/list-card.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { PhoneToCopy } from '#lib/web/ui/value/phone-to-copy.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { MessageStatusBadge } from '../parts.tsx'
import { STATUS_WORDS } from '../status-words.ts'
import { ExportMessages } from './actions/export-messages.tsx'
import type { ReportProps } from './report.ts'
import styles from './campaign-detail.module.css'

/** Shows the messages of a campaign. */
export function MessageTable({ report, query }: ReportProps) {
	const shown = useListPage()
	const [status, setStatus] = useSearchText('status')
	const chips = STATUS_WORDS.map(({ status: value, word }) => ({
		value,
		label: word,
		count: report.statusCounts[value],
	}))
	const shownStatus = RecipientFilter.options.find((known) => known === status)
	const { countsClicks, clickedCount } = report.campaign
	const clicked = countsClicks ? [{ value: 'clicked', label: 'Clicked', count: clickedCount }] : []
	return (
		<div id="messages" className={styles.messages}>
			<ListCard
				shown={shown}
				title="Sent messages"
				actions={shownStatus && <ExportMessages id={report.campaign._id} status={shownStatus} />}
				searchFor="Search by name or number"
				filters={
					<Filters set={status ? 1 : 0}>
						<FilterChips
							label="Status"
							value={status}
							options={[{ value: '', label: 'All', count: report.campaign.totalCount }, ...chips, ...clicked]}
							onChange={setStatus}
						/>
					</Filters>
				}
				label="Sent messages"
				query={{ ...query, error: null }}
				rows={report.sentMessages}
				pages={report.totalPages}
				hideSingle
				rowKey={(message) => message._id}
				columns={countsClicks ? [...COLUMNS, CLICKED] : COLUMNS}
				failed="Failed to fetch campaign details"
				toasts={briefToast}
				empty={
					<EmptyState
						icon={<IconMessageOff size={32} stroke={1.5} aria-hidden />}
						title="No messages found"
						hint={shown.search || status ? 'Try another part of the name or number, or another status.' : undefined}
					/>
				}
			/>
		</div>
	)
}

const COLUMNS: Column<SentMessage>[] = [
	{
		header: 'Name',
		narrow: 'title',
		cell: (message) => <ToChat message={message} />,
	},
	{
		header: 'Phone Number',
		narrow: 'under',
		minWidth: 190,
		cell: ({ number, listedNumber }) => (
			<span>
				<PhoneToCopy number={number} />
				{listedNumber !== null && (
					<Box component="small" className="fine" display="block">
						Listed as {displayNumber(listedNumber)}
					</Box>
				)}
			</span>
		),
	},
	{ header: 'Status', narrow: 'corner', cell: (message) => <Status message={message} /> },
	{
		header: 'Error',
		isProse: true,
		minWidth: 180,
		cell: (message) => (message.error === null ? '-' : <ErrorText message={message} error={message.error} />),
	},
	{ header: 'Sent At', align: 'right', minWidth: 138, narrow: 'beside', cell: sentAt },
]

const CLICKED: Column<SentMessage> = {
	header: 'First click',
	align: 'right',
	minWidth: 138,
	cell: ({ clickedAt, clicks }) =>
		clickedAt === null ? (
			'-'
		) : (
			<span>
				<DateTime iso={clickedAt} />
				{clicks > 1 && (
					<Box component="small" className="fine" display="block">
						{plural(clicks, 'click')}
					</Box>
				)}
			</span>
		),
}

/** Links to the chat with the recipient, which shows the message. */
function ToChat({ message: { name, number } }: { message: SentMessage }) {
	if (number.startsWith(ERASED_PREFIX)) return '-'
	return (
		<Link
			className={styles.person}
			to={chatPath(number)}
			aria-label={name ? `Chat with ${name}` : `Open chat with ${displayNumber(number)}`}
		>
			<TwoLines text={name ?? 'Open chat'} />
		</Link>
	)
}

function Status({ message: { status, isInQualityCheck } }: { message: SentMessage }) {
	if (!isInQualityCheck) return <MessageStatusBadge status={status} />
	return (
		<span title="WhatsApp delivers this message once it has checked the quality of the template">
			<ToneBadge tone="warn" label="Quality check" />
		</span>
	)
}

function ErrorText({ message: { number }, error }: { message: SentMessage; error: string }) {
	return (
		<span>
			{error} <CopyButton text={error} what={`the error of ${displayNumber(number)}`} />
		</span>
	)
}

function sentAt({ createdAt, wamid, number }: SentMessage) {
	return (
		<span>
			{wamid && (
				<span className={styles.id}>
					<CopyButton text={wamid} what={`the message ID of ${displayNumber(number)}`} />
				</span>
			)}{' '}
			<DateTime iso={createdAt} />
		</span>
	)
}
