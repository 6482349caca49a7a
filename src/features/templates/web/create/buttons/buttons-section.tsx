import { Box, Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { buttonProblems } from '#features/templates/button-rules.ts'
import { MAX_BUTTONS } from '#features/templates/limits.ts'
import { newRequestId } from '#lib/request-id.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import { newButton, type ButtonFields } from '../template-fields.ts'
import { clearErrorsOf } from '../text/body-fields.tsx'
import { ButtonRow, RowListEnd } from './button-row.tsx'
import { BUTTON_TYPES } from './button-types.ts'
import { useRowList, type RowList } from './use-row-list.ts'
import styles from './buttons.module.css'

export function ButtonsSection({ form, hints }: SectionProps) {
	const { buttons } = form.values
	const list = useRef<HTMLUListElement>(null)
	const addButton = useRef<HTMLButtonElement>(null)
	const actions = useRowList<ButtonFields>({
		current: () => form.getValues().buttons,
		set(rows) {
			// The errors are keyed by index, and the indexes have changed.
			clearErrorsOf(form, 'buttons')
			form.setFieldValue('buttons', rows)
		},
		what: 'Button',
		max: MAX_BUTTONS,
		list,
		addButton,
	})
	return (
		<FormSection number={5} title="Buttons" done={buttons.length > 0 && buttonProblems(buttons).length === 0}>
			{buttons.length === 0 && <p className="quiet">Optional: up to {MAX_BUTTONS} buttons under the message.</p>}
			<ul className={`bare ${styles.list}`} ref={list} data-path="buttons" tabIndex={-1} aria-label="Buttons">
				{buttons.map((button, index) => (
					<ButtonRow
						key={button.key}
						button={button}
						place={{ index, count: buttons.length }}
						form={form}
						hints={hints}
						actions={actions}
					/>
				))}
			</ul>
			<RowListEnd
				error={form.errors['buttons']}
				hints={hints('buttons')}
				count={buttons.length}
				max={MAX_BUTTONS}
				actions={actions}
			>
				<AddButton actions={actions} isFull={buttons.length >= MAX_BUTTONS} ref={addButton} />
			</RowListEnd>
		</FormSection>
	)
}

interface AddButtonProps {
	actions: RowList<ButtonFields>
	isFull: boolean
	ref: React.RefObject<HTMLButtonElement | null>
}

function AddButton({ actions, isFull, ref }: AddButtonProps) {
	const opener = { ref, variant: 'default', leftSection: <IconPlus size={16} aria-hidden /> } as const
	if (isFull)
		return (
			<Button {...opener} onClick={() => toast.error(`Maximum ${MAX_BUTTONS} buttons allowed`)}>
				Add button
			</Button>
		)
	return (
		<Menu position="bottom-start" returnFocus={false}>
			<Menu.Target>
				<Button {...opener}>Add button</Button>
			</Menu.Target>
			<Menu.Dropdown>
				{BUTTON_TYPES.map(({ type, label, hint, Icon }) => (
					<Menu.Item
						key={type}
						leftSection={<Icon size={18} aria-hidden />}
						onClick={() => actions.add(newButton(type, newRequestId()))}
					>
						{label}
						<Box component="small" className="fine" display="block">
							{hint}
						</Box>
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	)
}
