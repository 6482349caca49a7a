import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, type Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { withoutOverrides } from '#lib/bidi.ts'
import type { Column } from '../column.ts'
import { RowButton } from '../row-button.tsx'
import { useActionsAsMenu } from './actions-as-menu.ts'

/** What can be done to a row. */
export interface RowAction {
	/** In the menu, which names the row itself: "Delete". */
	word: string
	/** What it does, and to whom: "Delete Asha Rao". */
	label: string
	Icon: Icon
	danger?: boolean
	disabled?: boolean
	/** An address instead of `onClick`. */
	to?: string
	onClick?: () => void
}

interface ActionsOf<Row> {
	header?: string
	/** How many actions a row has at most. */
	maxActions: number
	nameOf: (row: Row) => string
	actionsOf: (row: Row) => RowAction[]
}

const BUTTON_WIDTH = 42
const PADDING = 32

/** The column with what can be done to each row: icon buttons where there is room, else one menu. */
export function actionsColumn<Row>({ header = '', maxActions, nameOf, actionsOf }: ActionsOf<Row>): Column<Row> {
	const minWidth = maxActions * BUTTON_WIDTH - 6 + PADDING
	return {
		header,
		align: 'right',
		width: `${minWidth}px`,
		minWidth,
		minWidthAsMenu: (header ? 56 : BUTTON_WIDTH) + PADDING,
		narrow: 'menu',
		cell: (row) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
	}
}

function RowActions({ name, actions }: { name: string; actions: RowAction[] }) {
	const asMenu = useActionsAsMenu()
	if (asMenu && actions.length > 1) return <ActionMenu name={name} actions={actions} />
	return (
		<div className="row-actions">
			{actions.map(({ word, Icon, ...action }) => (
				<RowButton key={word} {...action} icon={<Icon size={18} aria-hidden />} />
			))}
		</div>
	)
}

function ActionMenu({ name, actions }: { name: string; actions: RowAction[] }) {
	return (
		<Menu position="bottom-end" width={200}>
			<Menu.Target>
				<ActionIcon variant="default" size="var(--app-control)" aria-label={`Actions for ${withoutOverrides(name)}`}>
					<IconDotsVertical size={18} aria-hidden />
				</ActionIcon>
			</Menu.Target>
			<Menu.Dropdown>
				{actions.map(({ word, Icon, danger, disabled, to, onClick }) => {
					const shared = {
						color: danger ? 'red' : undefined,
						leftSection: <Icon size={18} aria-hidden />,
						children: word,
					}
					return to ? (
						<Menu.Item key={word} {...shared} component={Link} to={to} />
					) : (
						<Menu.Item key={word} {...shared} disabled={disabled} onClick={onClick} />
					)
				})}
			</Menu.Dropdown>
		</Menu>
	)
}
