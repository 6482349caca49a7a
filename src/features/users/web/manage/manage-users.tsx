import { useState } from 'react'
import type { UserRow } from '#features/users/contract.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { UserActions } from './user-actions.tsx'
import { UserDetailsDialog } from './user-details-dialog.tsx'
import { UserTable } from './user-table.tsx'

interface ManageUsersProps {
	/** The credentials belong to another feature. */
	onManageKey: (user: UserRow) => void
}

export function ManageUsers({ onManageKey }: ManageUsersProps) {
	const details = useDialogFor<UserRow>()
	const editing = useDialogFor<UserRow>()
	const status = useDialogFor<UserRow>()
	const deletion = useDialogFor<UserRow>()
	const [changed, setChanged] = useState<string | null>(null)
	return (
		<>
			<PageHeader title="Manage Users" hint="All accounts and their wallet balances." />
			<UserTable
				highlight={changed}
				renderActions={(user) => (
					<UserActions
						user={user}
						onView={details.open}
						onEdit={editing.open}
						onManageKey={onManageKey}
						onToggle={status.open}
						onDelete={deletion.open}
					/>
				)}
			/>
			<UserDetailsDialog user={details.subject} opened={details.opened} onClose={details.close} />
			<EditUserDialog user={editing.subject} opened={editing.opened} onClose={editing.close} onSaved={setChanged} />
			<StatusDialog user={status.subject} opened={status.opened} onClose={status.close} />
			<DeleteUserDialog user={deletion.subject} opened={deletion.opened} onClose={deletion.close} />
		</>
	)
}
