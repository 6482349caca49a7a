import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, type Icon } from '@tabler/icons-react'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { Link } from '#lib/web/router/link.tsx'
import type { Column } from '../column.ts'
import { RowButton } from '../row-button.tsx'
import styles from '../data-table.module.css'

/** An action on a row. */
export interface RowAction {
	/** Text in the row's menu, and on its button where there is room, such as "Delete". */
	word: string
	/** Action and target, such as "Delete Asha Rao". */
	label: string
	Icon: Icon
	danger?: boolean
	/** True for an action that wide screens show in a menu after the buttons instead of as a button. */
	isRare?: boolean
	disabled?: boolean
	/** True for an action that this row lacks: its place remains empty, so that the buttons of all rows are in line. */
	isAbsent?: boolean
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

/** Returns the column of row actions: buttons and a menu of the rare ones on wide screens, one menu otherwise. */
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

function RowActions({ name, actions: places }: { name: string; actions: RowAction[] }) {
	const actions = places.filter(({ isAbsent }) => !isAbsent)
	const isMenu = actions.length > 1
	const rare = actions.filter(({ isRare }) => isRare)
	return (
		<>
			<div className={isMenu ? `row-actions ${styles.buttons}` : 'row-actions'}>
				{places
					.filter(({ isRare }) => !isRare)
					.map(({ Icon, ...action }) => (
						<RowButton key={action.word} {...action} icon={<Icon size={18} aria-hidden />} />
					))}
				{rare.length > 0 && <ActionMenu label="More actions for" name={name} actions={rare} />}
			</div>
			{isMenu && <ActionMenu className={styles.menu} label="Actions for" name={name} actions={actions} />}
		</>
	)
}

interface ActionMenuProps {
	className?: string | undefined
	/** Beginning of the button's name, which the row's name completes. */
	label: string
	name: string
	actions: RowAction[]
}

function ActionMenu({ className, label, name, actions }: ActionMenuProps) {
	return (
		<Menu position="bottom-end" width={220}>
			<Menu.Target>
				<ActionIcon
					className={className}
					variant="default"
					size="var(--app-control)"
					aria-label={`${label} ${withoutOverrides(name)}`}
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
