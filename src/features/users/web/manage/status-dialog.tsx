import { useMutation } from '@tanstack/react-query'
import { users } from '#features/users/contract.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { AboutUser } from './delete-user-dialog.tsx'
import { updateRow } from './user-rows.ts'

/** Asks before a user is activated or deactivated. */
export function StatusDialog({ user, opened, onClose }: AboutUser) {
	const isActive = user?.isActive ?? false
	const toggle = useMutation({
		...mutation(users.toggleStatus),
		onSuccess: (answer, { params }) => {
			updateRow(params.id, { isActive: answer.isActive })
			toast.success(answer.message)
			onClose()
			void invalidate(users.dashboard)
		},
		onError: (error) => {
			toast.failure(error, `Failed to ${isActive ? 'deactivate' : 'activate'} user`)
			void invalidate(users.list)
		},
	})
	return (
		<ConfirmDialog
			opened={opened}
			title={isActive ? 'Confirm Deactivation' : 'Confirm Activation'}
			confirm={isActive ? 'Deactivate' : 'Activate'}
			busyText={isActive ? 'Deactivating...' : 'Activating...'}
			danger={isActive}
			busy={toggle.isPending}
			onClose={onClose}
			onConfirm={() => user && toggle.mutate({ params: { id: user._id }, body: { isActive: !isActive } })}
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
