import { IconEye, IconKey, IconPencil, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react'
import type { UserRow } from '#features/users/contract.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn, type RowAction } from '#lib/web/ui/table/row/row-actions.tsx'

interface UserActionHandlers {
	onView: (user: UserRow) => void
	onEdit: (user: UserRow) => void
	onManageKey: (user: UserRow) => void
	onToggle: (user: UserRow) => void
	onDelete: (user: UserRow) => void
}

/** What can be done to a user: five buttons where there is room, else one menu. */
export function userActions(handlers: UserActionHandlers): Column<UserRow> {
	return actionsColumn({
		header: 'Actions',
		nameOf: ({ name }) => name,
		actionsOf: (user) => actionsFor(user, handlers),
	})
}

function actionsFor(user: UserRow, handlers: UserActionHandlers): RowAction[] {
	const { name } = user
	const status = user.isActive ? { word: 'Deactivate', Icon: IconUserOff } : { word: 'Activate', Icon: IconUserCheck }
	return [
		{ word: 'View', label: `View ${name}`, Icon: IconEye, onClick: () => handlers.onView(user) },
		{ word: 'Edit', label: `Edit ${name}`, Icon: IconPencil, onClick: () => handlers.onEdit(user) },
		{ word: 'Manage Key', label: `Manage Key of ${name}`, Icon: IconKey, onClick: () => handlers.onManageKey(user) },
		{ ...status, label: `${status.word} ${name}`, onClick: () => handlers.onToggle(user) },
		{ word: 'Delete', label: `Delete ${name}`, Icon: IconTrash, danger: true, onClick: () => handlers.onDelete(user) },
	]
}
