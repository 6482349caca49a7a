import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { webhooks, type WebhookAddress, type WebhookDelivery } from '#features/developer/webhook-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DataTable, type Column } from '#lib/web/ui/table/data-table.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

const SHOWN = 50
const REFRESH_MS = 3000

/** Renders the dialog with the latest deliveries to an address, each with the answer of the address. */
export function Deliveries({ dialog }: { dialog: DialogFor<WebhookAddress> }) {
	const { subject: address, opened, close } = dialog
	return (
		<Modal opened={opened} onClose={close} title="Deliveries" size={900}>
			{address && <DeliveryList address={address} />}
		</Modal>
	)
}

function DeliveryList({ address: { id, url, switchedOffAt } }: { address: WebhookAddress }) {
	const asked = { params: { id }, query: { limit: SHOWN } }
	const list = useQuery({ ...query(webhooks.deliveries, asked), refetchInterval: REFRESH_MS })
	return (
		<>
			<p className="whole">
				The last {SHOWN} to <UserText text={url} />, kept for 7 days
			</p>
			<DataTable
				label="Deliveries"
				query={list}
				rows={list.data?.data}
				rowKey={(delivery) => delivery.id}
				columns={switchedOffAt === null ? [...COLUMNS, AGAIN] : COLUMNS}
				empty={<EmptyState title="Nothing was sent yet" hint="Events that we send to this address appear here." />}
				failed="Failed to fetch deliveries"
			/>
		</>
	)
}

const TONES = { waiting: 'warn', delivered: 'ok', failed: 'error' } as const
const WORDS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' }

const COLUMNS: Column<WebhookDelivery>[] = [
	{ header: 'Made', narrow: 'title', cell: ({ createdAt }) => <DateTime iso={createdAt} />, minWidth: 130 },
	{ header: 'Events', align: 'right', cell: ({ events }) => formatCount(events), minWidth: 80 },
	{
		header: 'State',
		narrow: 'corner',
		cell: ({ state }) => <ToneBadge tone={TONES[state]} label={WORDS[state]} />,
		minWidth: 110,
	},
	{
		header: 'Answer',
		cell: ({ answerStatus, error, durationMs }) => (
			<span className="whole">
				{answerStatus ?? error ?? 'None yet'}
				{durationMs !== null && ` (${formatCount(durationMs)} ms)`}
			</span>
		),
		isProse: true,
		minWidth: 150,
	},
	{ header: 'Attempts', align: 'right', cell: ({ attempts }) => formatCount(attempts), minWidth: 90 },
	{
		header: 'Next',
		cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? 'None' : <DateTime iso={nextAttemptAt} />),
		minWidth: 130,
	},
]

const AGAIN: Column<WebhookDelivery> = {
	header: 'Action',
	narrow: 'actions',
	minWidth: 120,
	cell: ({ id }) => (
		<ActionButton
			variant="default"
			px={8}
			busyText="Sending..."
			act={async () => {
				const { message } = await call(webhooks.sendAgain, { params: { id } })
				toast.success(message)
				await invalidate(webhooks.deliveries)
			}}
			failed={(error) => toast.failure(error, 'Failed to send it again')}
		>
			Send again
		</ActionButton>
	),
}
