import { users, type UserRow } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { removeRow } from './user-rows.ts'

export function DeleteUserDialog({ dialog }: { dialog: DialogFor<UserRow> }) {
	const { subject: user, close } = dialog
	const remove = async () => {
		if (!user) return
		await call(users.remove, { params: { id: user._id } })
		removeRow(user._id)
		toast.success('User deleted successfully')
		close()
		void invalidate(users.list)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Confirm Deletion"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => {
				toast.failure(error, 'Failed to delete user')
				void invalidate(users.list)
			}}
		>
			Are you sure you want to delete <b>{user && <UserText text={user.name} />}</b>? This action cannot be undone. They
			are signed out at once; their payment records are kept.
		</ConfirmDialog>
	)
}
