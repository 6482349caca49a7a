import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
	IconDotsVertical,
	IconEye,
	IconKey,
	IconPencil,
	IconTrash,
	IconUserCheck,
	IconUserOff,
} from '@tabler/icons-react'
import type { UserRow } from '#features/users/contract.ts'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'

export interface UserActionHandlers {
	onView: (user: UserRow) => void
	onEdit: (user: UserRow) => void
	onManageKey: (user: UserRow) => void
	onToggle: (user: UserRow) => void
	onDelete: (user: UserRow) => void
}

/** What can be done to a user: five buttons where there is room, else one menu. */
export function UserActions({ user, ...handlers }: UserActionHandlers & { user: UserRow }) {
	const isWide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
	const actions = actionsFor(user, handlers)
	if (isWide)
		return actions.map(({ word, Icon, danger, act }) => (
			<RowButton
				key={word}
				label={word === 'Manage Key' ? `Manage Key of ${user.name}` : `${word} ${user.name}`}
				icon={<Icon size={18} aria-hidden />}
				danger={danger}
				onClick={act}
			/>
		))
	return (
		<Menu position="bottom-end" width={200}>
			<Menu.Target>
				<ActionIcon variant="default" size="var(--app-control)" aria-label={`Actions for ${user.name}`}>
					<IconDotsVertical size={18} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				{actions.map(({ word, Icon, danger, act }) => (
					<Menu.Item
						key={word}
						color={danger ? 'red' : undefined}
						leftSection={<Icon size={18} aria-hidden />}
						onClick={act}
					>
						{word}
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	)
}

function actionsFor(user: UserRow, handlers: UserActionHandlers) {
	const status = user.isActive ? { word: 'Deactivate', Icon: IconUserOff } : { word: 'Activate', Icon: IconUserCheck }
	return [
		{ word: 'View', Icon: IconEye, danger: false, act: () => handlers.onView(user) },
		{ word: 'Edit', Icon: IconPencil, danger: false, act: () => handlers.onEdit(user) },
		{ word: 'Manage Key', Icon: IconKey, danger: false, act: () => handlers.onManageKey(user) },
		{ ...status, danger: false, act: () => handlers.onToggle(user) },
		{ word: 'Delete', Icon: IconTrash, danger: true, act: () => handlers.onDelete(user) },
	]
}
