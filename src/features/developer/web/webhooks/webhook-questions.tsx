import { webhooks, type WebhookAddress } from '#features/developer/webhook-contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

interface QuestionProps {
	dialog: DialogFor<WebhookAddress>
}

export function DeleteWebhook({ dialog }: QuestionProps) {
	const { subject: address, close } = dialog
	const remove = async () => {
		if (!address) return
		const { message } = await call(webhooks.remove, { params: { id: address.id } })
		toast.success(message)
		close()
		await invalidate(webhooks.addresses)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete webhook?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => toast.failure(error, 'Failed to delete the webhook')}
		>
			{address && (
				<>
					<strong>
						<UserText text={address.url} />
					</strong>{' '}
					gets no more events, not even those that wait to be sent. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}

export function RotateSecret({ dialog, onMade }: QuestionProps & { onMade: (secret: string) => void }) {
	const { subject: address, close } = dialog
	const rotate = async () => {
		if (!address) return
		const { secret } = await call(webhooks.rotateSecret, { params: { id: address.id } })
		close()
		onMade(secret)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Make a new secret?"
			confirm="Make new secret"
			busyText="Making..."
			onConfirm={rotate}
			failed={(error) => toast.failure(error, 'Failed to make a new secret')}
		>
			For 24 hours, events are signed with the old secret and the new one. Give your system the new one within that
			time.
		</ConfirmDialog>
	)
}
