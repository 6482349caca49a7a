import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, type Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { withoutOverrides } from '#lib/bidi.ts'
import type { Column } from '../column.ts'
import { RowButton } from '../row-button.tsx'
import styles from '../data-table.module.css'

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
	nameOf: (row: Row) => string
	actionsOf: (row: Row) => RowAction[]
}

/** Of a column that holds one icon button: as wide as that, or as its header. */
const BUTTON_COLUMN = 74
const WITH_HEADER = 88

/** The column with what can be done to each row: the style sheet shows icon buttons where there is room, else one menu. */
export function actionsColumn<Row>({ header = '', nameOf, actionsOf }: ActionsOf<Row>): Column<Row> {
	return {
		header,
		align: 'right',
		width: '1px',
		minWidth: header ? WITH_HEADER : BUTTON_COLUMN,
		narrow: 'menu',
		cell: (row) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
	}
}

function RowActions({ name, actions }: { name: string; actions: RowAction[] }) {
	const isMenu = actions.length > 1
	return (
		<>
			<div className={isMenu ? `row-actions ${styles.buttons}` : 'row-actions'}>
				{actions.map(({ word, Icon, ...action }) => (
					<RowButton key={word} {...action} icon={<Icon size={18} aria-hidden />} />
				))}
			</div>
			{isMenu && <ActionMenu name={name} actions={actions} />}
		</>
	)
}

function ActionMenu({ name, actions }: { name: string; actions: RowAction[] }) {
	return (
		<Menu position="bottom-end" width={200}>
			<Menu.Target>
				<ActionIcon
					className={styles.menu}
					variant="default"
					size="var(--app-control)"
					aria-label={`Actions for ${withoutOverrides(name)}`}
				>
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
