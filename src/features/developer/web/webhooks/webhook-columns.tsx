import { IconEdit, IconKey, IconList, IconPower, IconSend, IconTrash } from '@tabler/icons-react'
import type { WebhookAddress } from '#features/developer/webhook-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn } from '#lib/web/ui/table/row/row-actions.tsx'
import { TwoLines } from '#lib/web/ui/table/row/two-lines.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { EVENT_TEXTS } from './event-texts.ts'

type Act = (address: WebhookAddress) => void

export interface WebhookActions {
	onDeliveries: Act
	onTest: Act
	onEdit: Act
	onSwitchOn: Act
	onRotate: Act
	onDelete: Act
}

export function webhookColumns(actions: WebhookActions): Column<WebhookAddress>[] {
	return [
		{ header: 'Address', narrow: 'title', cell: ({ url }) => <TwoLines text={url} />, minWidth: 200 },
		{ header: 'Events', cell: ({ events }) => eventsInWords(events), isProse: true },
		{ header: 'State', narrow: 'corner', cell: (address) => <State {...address} />, minWidth: 130 },
		{
			header: 'Failing since',
			cell: ({ failingSince }) => (failingSince === null ? '-' : <DateTime iso={failingSince} />),
			minWidth: 120,
		},
		{ header: 'Waiting', align: 'right', cell: ({ waiting }) => formatCount(waiting), minWidth: 90 },
		actionsColumn<WebhookAddress>({
			header: 'Actions',
			nameOf: ({ url }) => url,
			actionsOf: (address) => actionsOf(address, actions),
		}),
	]
}

function eventsInWords(events: WebhookAddress['events']): string {
	const words = events.map((event) => EVENT_TEXTS[event])
	return words.map((text, at) => (at === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1))).join(', ')
}

function State({ switchedOffAt, failingSince, isFull }: WebhookAddress) {
	if (switchedOffAt !== null) return <ToneBadge tone="error" label="Switched off" />
	if (isFull) return <ToneBadge tone="error" label="Full" />
	return failingSince === null ? <ToneBadge tone="ok" label="Working" /> : <ToneBadge tone="warn" label="Failing" />
}

function actionsOf(address: WebhookAddress, actions: WebhookActions) {
	const { url, switchedOffAt } = address
	const isOff = switchedOffAt !== null
	return [
		{
			word: 'Deliveries',
			label: `Deliveries to ${url}`,
			Icon: IconList,
			onClick: () => actions.onDeliveries(address),
		},
		isOff
			? { word: 'Switch on', label: `Switch on ${url}`, Icon: IconPower, onClick: () => actions.onSwitchOn(address) }
			: {
					word: 'Send test event',
					label: `Send test event to ${url}`,
					Icon: IconSend,
					onClick: () => actions.onTest(address),
				},
		{ word: 'Edit', label: `Edit ${url}`, Icon: IconEdit, onClick: () => actions.onEdit(address) },
		{ word: 'New secret', label: `New secret for ${url}`, Icon: IconKey, onClick: () => actions.onRotate(address) },
		{ word: 'Delete', label: `Delete ${url}`, Icon: IconTrash, danger: true, onClick: () => actions.onDelete(address) },
	]
}
