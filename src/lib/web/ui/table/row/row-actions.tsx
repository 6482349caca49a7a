import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, type Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import { withoutOverrides } from '#lib/text/bidi.ts'
import type { Column } from '../column.ts'
import { RowButton } from '../row-button.tsx'
import styles from '../data-table.module.css'

/** An action on a row. */
export interface RowAction {
	/** Text in the row's menu, such as "Delete". */
	word: string
	/** Action and target, such as "Delete Asha Rao". */
	label: string
	Icon: Icon
	danger?: boolean
	disabled?: boolean
	/** URL, as an alternative to `onClick`. */
	to?: string
	onClick?: () => void
}

interface ActionsOf<Row> {
	header?: string
	nameOf: (row: Row) => string
	actionsOf: (row: Row) => RowAction[]
}

/** Width in pixels of a column with one icon button, and of one with a header. */
const BUTTON_COLUMN = 74
const WITH_HEADER = 88

/** Returns the column of row actions: icon buttons on wide screens, one menu otherwise. */
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
