import { users, type UserRow } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { updateRow } from './user-rows.ts'

/** Asks for confirmation before a user is activated or deactivated. */
export function StatusDialog({ dialog }: { dialog: DialogFor<UserRow> }) {
	const { subject: user, close } = dialog
	const isActive = user?.isActive ?? false
	const toggle = async () => {
		if (!user) return
		const answer = await call(users.toggleStatus, { params: { id: user._id }, body: { isActive: !isActive } })
		updateRow(user._id, { isActive: answer.isActive })
		toast.success(answer.message)
		close()
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title={isActive ? 'Confirm Deactivation' : 'Confirm Activation'}
			confirm={isActive ? 'Deactivate' : 'Activate'}
			busyText={isActive ? 'Deactivating...' : 'Activating...'}
			danger={isActive}
			onConfirm={toggle}
			failed={(error) => {
				toast.failure(error, `Failed to ${isActive ? 'deactivate' : 'activate'} user`)
				void invalidate(users.list)
			}}
		>
			{isActive ? (
				<>
					Are you sure you want to deactivate <b>{user && <UserText text={user.name} />}</b>? They are signed out at
					once, and their campaigns are paused.
				</>
			) : (
				<>
					Are you sure you want to activate <b>{user && <UserText text={user.name} />}</b>? They can sign in again, and
					resume their campaigns themselves.
				</>
			)}
		</ConfirmDialog>
	)
}
