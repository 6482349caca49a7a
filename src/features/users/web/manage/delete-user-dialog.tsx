import { useQuery } from '@tanstack/react-query'
import { users, type UserRow } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { removeRow } from './user-rows.ts'

export function DeleteUserDialog({ dialog }: { dialog: DialogFor<UserRow> }) {
	const { subject: user, close } = dialog
	const deleted = useQuery({ ...query(users.deleted), enabled: dialog.opened })
	const remove = async () => {
		if (!user) return
		await call(users.remove, { params: { id: user._id } })
		removeRow(user._id)
		toast.success('User deleted successfully')
		close()
		void invalidate(users.list, users.deleted)
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
			are signed out at once; their payment records are kept. <Erasure days={deleted.data?.keepDays} />
		</ConfirmDialog>
	)
}

function Erasure({ days }: { days: number | undefined }) {
	if (days === undefined) return null
	if (days === 0) return <>All their other data is kept, too.</>
	return (
		<>
			Their contacts, chats, templates and all other data are erased after <b>{days} days</b>. Until then, this page
			offers them as a download.
		</>
	)
}
