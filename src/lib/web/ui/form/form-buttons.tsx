import { Button, Group } from '@mantine/core'
import { use } from 'react'
import { BusyButton, type BusyButtonProps } from './busy-button.tsx'
import { DialogContext, FormBusyContext } from './form-context.ts'
import styles from './form-buttons.module.css'

type SubmitButtonProps = Omit<BusyButtonProps, 'busy' | 'type'>

/** Renders the submit button of the surrounding `Form`, busy until the answer. Needs a width that fits both texts. */
export function SubmitButton(props: SubmitButtonProps) {
	return <BusyButton {...props} type="submit" busy={use(FormBusyContext)} />
}

interface CancelButtonProps {
	onClick: () => void
	/** Text; "Cancel" by default. */
	children?: string
}

/** Renders the button that leaves the surrounding `Form`; disabled while it is being sent. */
export function CancelButton({ onClick, children = 'Cancel' }: CancelButtonProps) {
	return (
		<Button variant="default" onClick={onClick} disabled={use(FormBusyContext)}>
			{children}
		</Button>
	)
}

interface FormButtonsProps extends SubmitButtonProps {
	/** Text of the cancel button; "Cancel" by default. */
	cancel?: string
	/** Called on cancel; by default closes the surrounding dialog. */
	onCancel?: () => void
}

/** Renders cancel and submit at the end of a form. */
export function FormButtons({ cancel, onCancel, ...submit }: FormButtonsProps) {
	const { close } = use(DialogContext)
	return (
		<Group className={styles.buttons} justify="flex-end" gap={8}>
			<CancelButton onClick={onCancel ?? close}>{cancel}</CancelButton>
			<SubmitButton busyText="Saving..." miw={128} {...submit} />
		</Group>
	)
}
