import { Button, Stack } from '@mantine/core'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooks, type WebhookAddress } from '#features/developer/webhook-contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { Deliveries } from './deliveries.tsx'
import { webhookColumns } from './webhook-columns.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { DeleteWebhook, RotateSecret } from './webhook-questions.tsx'

/** Renders the card with the webhook addresses that receive an account's events. */
export function Webhooks() {
	const list = useQuery(query(webhooks.addresses))
	const [secret, setSecret] = useState<string | null>(null)
	const editing = useDialogFor<WebhookAddress | null>()
	const [deliveries, rotating, deleting] = [
		useDialogFor<WebhookAddress>(),
		useDialogFor<WebhookAddress>(),
		useDialogFor<WebhookAddress>(),
	]
	const columns = webhookColumns({
		onDeliveries: deliveries.open,
		onTest: (address) => void sendTest(address),
		onEdit: editing.open,
		onSwitchOn: (address) => void switchOn(address),
		onRotate: rotating.open,
		onDelete: deleting.open,
	})
	return (
		<Stack gap={16}>
			{secret !== null && <ShownOnce text={secret} what="secret" />}
			<Card
				flush
				title="Webhooks"
				hint="Send events to your own software in real time."
				actions={
					<Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => editing.open(null)}>
						Add webhook
					</Button>
				}
			>
				<DataTable
					label="Webhooks"
					query={list}
					rows={list.data?.addresses}
					rowKey={({ id }) => id}
					columns={columns}
					empty={
						<EmptyState
							title="No webhooks yet"
							hint="Add the address of your software. It gets delivery updates and customer replies."
							icon={<IconWebhook size={32} stroke={1.5} aria-hidden />}
						/>
					}
					failed="Failed to fetch webhooks"
				/>
			</Card>
			<WebhookDialog dialog={editing} onAdded={setSecret} />
			<Deliveries dialog={deliveries} />
			<RotateSecret dialog={rotating} onMade={setSecret} />
			<DeleteWebhook dialog={deleting} />
		</Stack>
	)
}

async function sendTest({ id }: WebhookAddress): Promise<void> {
	try {
		toast.success((await call(webhooks.sendTest, { params: { id } })).message)
	} catch (error) {
		toast.failure(error, 'Failed to send a test event')
	}
}

async function switchOn({ id, url, events }: WebhookAddress): Promise<void> {
	try {
		await call(webhooks.change, { params: { id }, body: { url, events } })
		await invalidate(webhooks.addresses)
		toast.success('The webhook is on again')
	} catch (error) {
		toast.failure(error, 'Failed to switch the webhook on')
	}
}
