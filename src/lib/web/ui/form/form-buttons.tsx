import { Button, Group } from '@mantine/core'
import { use } from 'react'
import { BusyButton, type BusyButtonProps } from './busy-button.tsx'
import { DialogContext, FormBusyContext } from './form-context.ts'
import styles from './form-buttons.module.css'

type SubmitButtonProps = Omit<BusyButtonProps, 'busy' | 'type'>

/** Sends the `Form` around it, and is busy until the answer. Give it a width that fits both of its texts. */
export function SubmitButton(props: SubmitButtonProps) {
	return <BusyButton {...props} type="submit" busy={use(FormBusyContext)} />
}

interface CancelButtonProps {
	onClick: () => void
	/** What it says, where that is not "Cancel". */
	children?: string
}

/** Leaves the `Form` around it, unless that is being sent. */
export function CancelButton({ onClick, children = 'Cancel' }: CancelButtonProps) {
	return (
		<Button variant="default" onClick={onClick} disabled={use(FormBusyContext)}>
			{children}
		</Button>
	)
}

interface FormButtonsProps extends SubmitButtonProps {
	/** Instead of "Cancel". */
	cancel?: string
	/** Closes the dialog around it where this is left out. */
	onCancel?: () => void
}

/** Cancel and submit, at the end of a form. */
export function FormButtons({ cancel, onCancel, ...submit }: FormButtonsProps) {
	const { close } = use(DialogContext)
	return (
		<Group className={styles.buttons} justify="flex-end" gap={8}>
			<CancelButton onClick={onCancel ?? close}>{cancel}</CancelButton>
			<SubmitButton busyText="Saving..." miw={128} {...submit} />
		</Group>
	)
}
