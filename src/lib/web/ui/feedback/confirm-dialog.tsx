import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction } from '#lib/web/use-action.ts'
import { BusyButton } from '../form/busy-button.tsx'

interface ConfirmDialogProps {
	opened: boolean
	title: string
	/** The question, and what cannot be undone. */
	children: ReactNode
	/** The word on the button that does it. */
	confirm: string
	/** The word on the button that leaves everything as it is, where "Cancel" would be misread. */
	dismiss?: string
	/** Instead of `confirm` while it is being done. */
	busyText?: string
	/** Red, for what destroys. */
	danger?: boolean
	/** There is nothing to be done yet, or it may not be. */
	disabled?: boolean
	size?: number
	/** Does it, and closes the dialog when it is done; until then it is busy and stays open. */
	onConfirm: () => unknown
	/** Says that it failed; the dialog stays open. */
	failed?: (error: unknown) => void
	onClose: () => void
}

/** Asks before something that cannot be undone. The focus starts on Cancel, so that Enter alone does no harm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
	const {
		opened,
		title,
		children,
		confirm,
		dismiss = 'Cancel',
		busyText,
		danger = false,
		disabled,
		size,
		onClose,
	} = props
	const { busy, run } = useAction()
	return (
		<Modal opened={opened} onClose={busy ? () => {} : onClose} title={title} size={size ?? 'sm'}>
			<div>{children}</div>
			<Group justify="flex-end" gap={8} mt={24}>
				<Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
					{dismiss}
				</Button>
				<BusyButton
					color={danger ? 'red' : undefined}
					onClick={() => run(props.onConfirm, props.failed)}
					busy={busy}
					disabled={disabled}
					busyText={busyText}
				>
					{confirm}
				</BusyButton>
			</Group>
		</Modal>
	)
}
