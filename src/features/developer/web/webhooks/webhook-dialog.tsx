import { Checkbox, Stack, TextInput } from '@mantine/core'
import { NO_PROOF, ProofField } from '#features/auth/web/proof-field.tsx'
import { AddressBody, webhooks, type WebhookAddress } from '#features/developer/webhook-contract.ts'
import { EVENT_TYPES, type EventType } from '#features/events/rules.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { EVENT_TEXTS } from './event-texts.ts'

interface WebhookDialogProps {
	/** The edited address; null for a new one. */
	dialog: DialogFor<WebhookAddress | null>
	/** Receives the secret of a new address, which is not readable afterwards. */
	onAdded: (secret: string) => void
}

export function WebhookDialog({ dialog, onAdded }: WebhookDialogProps) {
	const { subject, close } = dialog
	const saved = (secret: string | null) => {
		close()
		if (secret !== null) onAdded(secret)
	}
	return (
		<FormDialog dialog={dialog} title={subject ? 'Edit webhook' : 'Add webhook'} size={520}>
			<WebhookForm address={subject} onSaved={saved} />
		</FormDialog>
	)
}

const FIRST_EVENTS: EventType[] = ['message.sent', 'message.delivered', 'message.read', 'message.failed']

function WebhookForm({
	address,
	onSaved,
}: {
	address: WebhookAddress | null
	onSaved: (secret: string | null) => void
}) {
	const state = useSchemaForm({
		schema: AddressBody,
		initialValues: { ...NO_PROOF, url: address?.url ?? '', events: address?.events ?? FIRST_EVENTS },
		async submit(body) {
			if (!address) return (await call(webhooks.create, { body })).secret
			await call(webhooks.change, { params: { id: address.id }, body })
			return null
		},
		saved: async (secret) => {
			await invalidate(webhooks.addresses)
			onSaved(secret)
		},
		failed: (error) => toast.failure(error, 'Failed to save the webhook'),
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<TextInput
				label="Address"
				description="The https address of your system, such as https://shop.example/whatsapp-events"
				type="url"
				autoComplete="off"
				required
				data-autofocus
				{...form.getInputProps('url')}
			/>
			<Checkbox.Group label="Send an event when" required {...form.getInputProps('events')}>
				<Stack gap={8} mt={8}>
					{EVENT_TYPES.map((event) => (
						<Checkbox key={event} value={event} label={EVENT_TEXTS[event]} />
					))}
				</Stack>
			</Checkbox.Group>
			{form.getValues().url !== address?.url && (
				<ProofField form={form} why="A webhook gets what your customers write, so we check that it is you." />
			)}
			<FormButtons>{address ? 'Save' : 'Add'}</FormButtons>
		</GuardedForm>
	)
}
