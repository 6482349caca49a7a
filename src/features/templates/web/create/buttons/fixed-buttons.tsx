import { Group, Stack } from '@mantine/core'
import type { SectionProps } from '../sections/section-props.ts'
import type { ButtonFields } from '../template-fields.ts'
import { ButtonInputs } from './button-inputs.tsx'
import { buttonType } from './button-types.ts'
import { changeButton, type ButtonsAt } from './use-row-list.ts'
import styles from './buttons.module.css'

interface FixedButtonsProps extends SectionProps {
	buttons: readonly ButtonFields[]
	at?: ButtonsAt
	/** True for buttons of WhatsApp's library, whose texts cannot be changed. */
	isTextFixed?: boolean
}

/** Renders the inputs of buttons whose number, types and order are given. */
export function FixedButtons({ form, hints, buttons, at = '', isTextFixed = false }: FixedButtonsProps) {
	const path = `${at}buttons`
	const error = form.errors[path]
	return (
		<>
			<ul className="bare stack" data-path={path} tabIndex={-1} aria-label="Buttons">
				{buttons.map((button, index) => {
					const type = buttonType(button.type)
					return (
						<Stack component="li" className={`well ${styles.row}`} gap={12} key={button.key}>
							<Group component="span" gap={8} wrap="nowrap" fw={600}>
								{type && <type.Icon size={18} aria-hidden />}
								{isTextFixed ? button.text : type?.label}
							</Group>
							<ButtonInputs
								isTextFixed={isTextFixed}
								button={button}
								onChange={(change) => changeButton(form, { at, index }, change)}
								inputProps={(field) => form.getInputProps(`${path}.${index}.${field}`)}
								hints={(field) => hints(`${path}.${index}.${field}`)}
							/>
						</Stack>
					)
				})}
			</ul>
			{error && (
				<p className="quiet faulty" role="alert">
					{error}
				</p>
			)}
		</>
	)
}
