import { colleagues, type Colleague } from '#features/users/colleague-contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

export function RemoveColleague({ dialog }: { dialog: DialogFor<Colleague> }) {
	const { subject: colleague, close } = dialog
	const remove = async () => {
		if (!colleague) return
		const { message } = await call(colleagues.remove, { params: { id: colleague._id } })
		toast.success(message)
		close()
		await invalidate(colleagues.list)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Remove colleague?"
			confirm="Remove"
			busyText="Removing..."
			danger
			onConfirm={remove}
			failed={(error) => toast.failure(error, 'Failed to remove the colleague')}
		>
			{colleague && (
				<>
					<strong>
						<UserText text={colleague.name} />
					</strong>{' '}
					is signed out at once and can no longer sign in. Their campaigns, chats and contacts stay.
				</>
			)}
		</ConfirmDialog>
	)
}
