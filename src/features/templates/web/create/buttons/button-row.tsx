import { ActionIcon, Group, Stack } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FieldHints } from '../field-hints.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import type { ButtonFields } from '../template-fields.ts'
import { ButtonInputs } from './button-inputs.tsx'
import { buttonType } from './button-types.ts'
import { changeButton, type RowList } from './use-row-list.ts'
import styles from './buttons.module.css'

interface ButtonRowProps extends SectionProps {
	button: ButtonFields
	place: { index: number; count: number }
	actions: RowList<ButtonFields>
}

export function ButtonRow({ button, place, form, hints, actions }: ButtonRowProps) {
	const { index, count } = place
	const type = buttonType(button.type)
	const name = `button ${index + 1}`
	return (
		<Stack component="li" className={`well ${styles.row}`} gap={12}>
			<Group gap={8} wrap="nowrap">
				{count > 1 && (
					// The grip is for dragging only, hence aria-hidden: the arrow buttons do the same.
					<span className={`centred ${styles.grip}`} aria-hidden onPointerDown={() => actions.drag(index)}>
						<IconGripVertical size={18} />
					</span>
				)}
				<Group component="span" className="grow" gap={8} wrap="nowrap" fw={600}>
					{type && <type.Icon size={18} aria-hidden />}
					{type?.label ?? button.type}
				</Group>
				<RowActions name={name} place={place} actions={actions} />
			</Group>
			<ButtonInputs
				button={button}
				onChange={(change) => changeButton(form, { index }, change)}
				inputProps={(field) => form.getInputProps(`buttons.${index}.${field}`)}
				hints={(field) => hints(`buttons.${index}.${field}`)}
			/>
		</Stack>
	)
}

interface RowActionsProps {
	/** Name of the row, such as "button 1". */
	name: string
	place: ButtonRowProps['place']
	actions: Pick<RowList<unknown>, 'move' | 'remove'>
	/** Fewest rows that the list must have; 0 by default. */
	min?: number
}

/** Renders the buttons that move and remove a row. */
export function RowActions({ name, place: { index, count }, actions, min = 0 }: RowActionsProps) {
	return (
		<Group gap={0} align="stretch" wrap="nowrap">
			{count > 1 && (
				<>
					<RowAction label={`Move ${name} up`} isOff={index === 0} onClick={() => actions.move(index, index - 1)}>
						<IconArrowUp size={18} aria-hidden />
					</RowAction>
					<RowAction
						label={`Move ${name} down`}
						isOff={index === count - 1}
						onClick={() => actions.move(index, index + 1)}
					>
						<IconArrowDown size={18} aria-hidden />
					</RowAction>
				</>
			)}
			<RowAction label={`Remove ${name}`} isOff={count <= min} onClick={() => actions.remove(index)}>
				<IconTrash size={18} aria-hidden />
			</RowAction>
		</Group>
	)
}

interface RowActionProps {
	label: string
	/** Shown as disabled but focusable, so that moving a button to the end by keyboard does not lose the focus. */
	isOff?: boolean
	onClick: () => void
	children: React.ReactNode
}

function RowAction({ label, isOff = false, onClick, children }: RowActionProps) {
	return (
		<ActionIcon
			title={label}
			color="gray"
			aria-label={label}
			aria-disabled={isOff}
			data-off={isOff}
			className={styles.action}
			onClick={() => isOff || onClick()}
		>
			{children}
		</ActionIcon>
	)
}

interface RowListEndProps {
	error: ReactNode
	hints: readonly string[]
	count: number
	max: number
	actions: Pick<RowList<unknown>, 'announcement'>
	/** The button that adds a row. */
	children: ReactNode
}

/** Renders the error, hints and count of a list of buttons or cards, and its last change for screen readers. */
export function RowListEnd({ error, hints, count, max, actions, children }: RowListEndProps) {
	return (
		<>
			{error && (
				<p className="quiet faulty" role="alert">
					{error}
				</p>
			)}
			<FieldHints hints={hints} />
			<Group gap={12} wrap="nowrap">
				{children}
				<span className="quiet">
					{count} of {max}
				</span>
			</Group>
			<p className="visually-hidden" role="status">
				{actions.announcement}
			</p>
		</>
	)
}
