import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDotsVertical, type Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { withoutOverrides } from '#lib/bidi.ts'
import { once } from '#lib/web/once.ts'
import type { Column } from '../column.ts'
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
	/** The most actions that a row has. */
	most: number
	nameOf: (row: Row) => string
	actionsOf: (row: Row) => RowAction[]
}

const BUTTON_WIDTH = 42
const PADDING = 32

/** The column with what can be done to each row: icon buttons where there is room, else one menu. */
export function actionsColumn<Row>({ header = '', most, nameOf, actionsOf }: ActionsOf<Row>): Column<Row> {
	const least = most * BUTTON_WIDTH - 6 + PADDING
	return {
		header,
		align: 'right',
		width: `${least}px`,
		least,
		leastAsMenu: (header ? 56 : BUTTON_WIDTH) + PADDING,
		narrow: 'menu',
		cell: (row) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
	}
}

function RowActions({ name, actions }: { name: string; actions: RowAction[] }) {
	const asMenu = useActionsAsMenu()
	if (asMenu && actions.length > 1) return <ActionMenu name={name} actions={actions} />
	return (
		<div className="row-actions">
			{actions.map((action) => (
				<ActionButton key={action.word} action={action} />
			))}
		</div>
	)
}

function ActionButton({
	action: { label: text, Icon, danger = false, disabled = false, to, onClick },
}: {
	action: RowAction
}) {
	const label = withoutOverrides(text)
	const look = {
		variant: danger ? 'outline' : 'default',
		color: danger ? 'red' : undefined,
		size: 'var(--app-control)',
		'aria-label': label,
		children: <Icon size={18} aria-hidden />,
	}
	return (
		<Tooltip label={label}>
			{to ? (
				<ActionIcon {...look} component={Link} to={to} />
			) : (
				<ActionIcon {...look} disabled={disabled} onClick={onClick && once(onClick)} />
			)}
		</Tooltip>
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
					const look = {
						color: danger ? 'red' : undefined,
						leftSection: <Icon size={18} aria-hidden />,
						children: word,
					}
					return to ? (
						<Menu.Item key={word} {...look} component={Link} to={to} />
					) : (
						<Menu.Item key={word} {...look} disabled={disabled} onClick={onClick} />
					)
				})}
			</Menu.Dropdown>
		</Menu>
	)
}
