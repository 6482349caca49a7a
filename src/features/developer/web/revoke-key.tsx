import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { developer, type ApiKey } from '../contract.ts'

export function RevokeKey({ dialog }: { dialog: DialogFor<ApiKey> }) {
	const { subject: key, close } = dialog
	const revoke = async () => {
		if (!key) return
		const { message } = await call(developer.revokeKey, { params: { id: key.id } })
		toast.success(message)
		close()
		await invalidate(developer.keys)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Revoke API key?"
			confirm="Revoke"
			busyText="Revoking..."
			danger
			onConfirm={revoke}
			failed={(error) => toast.failure(error, 'Failed to revoke the API key')}
		>
			{key && (
				<>
					Whatever uses{' '}
					<strong>
						<UserText text={key.name} />
					</strong>{' '}
					is refused from now on. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}
