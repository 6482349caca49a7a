import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLostFocus } from '../layout/use-lost-focus.ts'

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
	busy?: boolean
	/** Red, for what destroys. */
	danger?: boolean
	onConfirm: () => void
	onClose: () => void
}

/** Asks before something that cannot be undone. The focus starts on Cancel, so that Enter alone does no harm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
	const { opened, title, busy = false, onClose } = props
	return (
		<Modal opened={opened} onClose={busy ? () => {} : onClose} title={title} size="sm">
			<Question {...props} />
		</Modal>
	)
}

function Question(props: ConfirmDialogProps) {
	const { children, confirm, dismiss = 'Cancel', busyText, busy = false, danger = false, onConfirm, onClose } = props
	// The button that opened the dialog may have been removed with its subject, such as a deleted row.
	useLostFocus()
	return (
		<>
			<div>{children}</div>
			<Group justify="flex-end" gap={8} mt={24}>
				<Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
					{dismiss}
				</Button>
				<Button color={danger ? 'red' : undefined} onClick={onConfirm} disabled={busy} aria-busy={busy}>
					{busy && busyText ? busyText : confirm}
				</Button>
			</Group>
		</>
	)
}
