import { IconEye, IconKey, IconListCheck, IconPencil, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import type { UserRow } from '#features/users/contract.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn, type RowAction } from '#lib/web/ui/table/row/row-actions.tsx'
import { UserTable, type MissingOf } from '../parts.tsx'
import { DeleteUserDialog } from './delete-user-dialog.tsx'
import { DeletedUsers, type DataOf } from './deleted-users.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { UserDetailsDialog } from './user-details-dialog.tsx'

interface ManageUsersProps {
	/** Credentials and data belong to other features, which supply these. */
	onManageKey: (user: UserRow) => void
	onSetUp: (user: UserRow) => void
	dataOf: DataOf
	/** Renders the health line of a user of the role `user`. */
	healthOf: (user: UserRow) => ReactNode
	missingOf: MissingOf
}

export function ManageUsers({ onManageKey, onSetUp, dataOf, healthOf, missingOf }: ManageUsersProps) {
	const details = useDialogFor<UserRow>()
	const editing = useDraftDialog<UserRow>('user')
	const status = useDialogFor<UserRow>()
	const deletion = useDialogFor<UserRow>()
	const [changed, setChanged] = useState<string | null>(null)
	return (
		<>
			<PageHeader title="Manage Users" hint="All accounts and their wallet balances." />
			<div className="stack">
				<UserTable
					highlight={changed}
					missingOf={missingOf}
					actions={userActions({
						onView: details.open,
						onEdit: editing.open,
						onManageKey,
						onSetUp,
						onToggle: status.open,
						onDelete: deletion.open,
					})}
				/>
				<DeletedUsers dataOf={dataOf} />
			</div>
			<UserDetailsDialog dialog={details} healthOf={healthOf} />
			<EditUserDialog dialog={editing} onSaved={setChanged} />
			<StatusDialog dialog={status} />
			<DeleteUserDialog dialog={deletion} />
		</>
	)
}

interface UserActionHandlers {
	onView: (user: UserRow) => void
	onEdit: (user: UserRow) => void
	onManageKey: (user: UserRow) => void
	onSetUp: (user: UserRow) => void
	onToggle: (user: UserRow) => void
	onDelete: (user: UserRow) => void
}

/** Returns the column of actions on a user: buttons where there is room, otherwise one menu. */
function userActions(handlers: UserActionHandlers): Column<UserRow> {
	return actionsColumn({
		header: 'Actions',
		nameOf: ({ name }) => name,
		actionsOf: (user) => actionsFor(user, handlers),
	})
}

function actionsFor(user: UserRow, handlers: UserActionHandlers): RowAction[] {
	const { name, role } = user
	const status = user.isActive ? { word: 'Deactivate', Icon: IconUserOff } : { word: 'Activate', Icon: IconUserCheck }
	return [
		{ word: 'View', label: `View ${name}`, Icon: IconEye, onClick: () => handlers.onView(user) },
		{ word: 'Edit', label: `Edit ${name}`, Icon: IconPencil, onClick: () => handlers.onEdit(user) },
		{ word: 'Manage Key', label: `Manage Key of ${name}`, Icon: IconKey, onClick: () => handlers.onManageKey(user) },
		{
			word: 'Set-up',
			label: `Set-up of ${name}`,
			Icon: IconListCheck,
			isAbsent: role !== 'user',
			onClick: () => handlers.onSetUp(user),
		},
		{ ...status, label: `${status.word} ${name}`, onClick: () => handlers.onToggle(user) },
		{ word: 'Delete', label: `Delete ${name}`, Icon: IconTrash, danger: true, onClick: () => handlers.onDelete(user) },
	]
}
