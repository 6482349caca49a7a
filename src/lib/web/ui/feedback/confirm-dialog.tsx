import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction } from '#lib/web/use-action.ts'
import { BusyButton } from '../form/busy-button.tsx'
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
	/** Red, for what destroys. */
	danger?: boolean
	/** Does it, and closes the dialog when it is done; until then it is busy and stays open. */
	onConfirm: () => unknown
	/** Says that it failed; the dialog stays open. */
	failed?: (error: unknown) => void
	onClose: () => void
}

/** Asks before something that cannot be undone. The focus starts on Cancel, so that Enter alone does no harm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
	const { opened, title, onConfirm, failed, onClose } = props
	const { busy, run } = useAction()
	return (
		<Modal opened={opened} onClose={busy ? () => {} : onClose} title={title} size="sm">
			<Question {...props} busy={busy} onConfirm={() => run(onConfirm, failed)} />
		</Modal>
	)
}

function Question(props: ConfirmDialogProps & { busy: boolean }) {
	const { children, confirm, dismiss = 'Cancel', busyText, busy, danger = false, onConfirm, onClose } = props
	// The button that opened the dialog may have been removed with its subject, such as a deleted row.
	useLostFocus()
	return (
		<>
			<div>{children}</div>
			<Group justify="flex-end" gap={8} mt={24}>
				<Button variant="default" onClick={onClose} disabled={busy} data-autofocus>
					{dismiss}
				</Button>
				<BusyButton color={danger ? 'red' : undefined} onClick={onConfirm} busy={busy} busyText={busyText}>
					{confirm}
				</BusyButton>
			</Group>
		</>
	)
}
