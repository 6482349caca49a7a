import { useMutation } from '@tanstack/react-query'
import { users, type UserRow } from '#features/users/contract.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { removeRow } from './user-rows.ts'

export interface AboutUser {
	/** Null before the first opening. */
	user: UserRow | null
	opened: boolean
	onClose: () => void
}

export function DeleteUserDialog({ user, opened, onClose }: AboutUser) {
	const remove = useMutation({
		...mutation(users.remove),
		onSuccess: (_, { params }) => {
			removeRow(params.id)
			toast.success('User deleted successfully')
			onClose()
			void invalidate(users.list, users.dashboard)
		},
		onError: (error) => {
			toast.failure(error, 'Failed to delete user')
			void invalidate(users.list)
		},
	})
	return (
		<ConfirmDialog
			opened={opened}
			title="Confirm Deletion"
			confirm="Delete"
			busyText="Deleting..."
			danger
			busy={remove.isPending}
			onClose={onClose}
			onConfirm={() => user && remove.mutate({ params: { id: user._id } })}
		>
			Are you sure you want to delete <b>{user && <UserText text={user.name} />}</b>? This action cannot be undone. They
			are signed out at once; their payment records are kept.
		</ConfirmDialog>
	)
}
