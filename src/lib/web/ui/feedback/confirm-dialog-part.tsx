import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction } from '#lib/web/use-action.ts'
import { BusyButton, type BusyButtonProps } from '../form/busy-button.tsx'
import type { DialogFor } from '../state/use-dialog-for.ts'
import { useSeenOpening } from '../state/use-seen-opening.ts'

export interface ConfirmDialogProps extends Pick<BusyButtonProps, 'busyText' | 'disabled'> {
	dialog: Pick<DialogFor<unknown>, 'opened' | 'close'>
	title: string
	size?: number
	/** The question and its irreversible consequence. */
	children: ReactNode
	/** Text of the confirm button. */
	confirm: string
	/** Text of the cancel button, when "Cancel" would be ambiguous. */
	dismiss?: string
	/** Red confirm button, for destructive actions. */
	danger?: boolean
	/** Runs on confirm. The dialog is busy until it resolves, then closes. */
	onConfirm: () => unknown
	/** Shows the error; the dialog stays open. */
	failed?: (error: unknown) => void
}

/** Renders the question with the focus on Cancel, so that Enter alone does no harm. */
export function ConfirmDialog({ dialog, title, size, children, dismiss = 'Cancel', ...rest }: ConfirmDialogProps) {
	const { confirm, danger = false, onConfirm, failed, ...button } = rest
	const { busy, run } = useAction()
	const opened = useSeenOpening(dialog.opened)
	return (
		<Modal opened={opened} onClose={busy ? () => {} : dialog.close} title={title} size={size ?? 'sm'}>
			<div>{children}</div>
			<Group justify="flex-end" gap={8} mt={24}>
				<Button variant="default" onClick={dialog.close} disabled={busy} data-autofocus>
					{dismiss}
				</Button>
				<BusyButton {...button} busy={busy} color={danger ? 'red' : undefined} onClick={() => run(onConfirm, failed)}>
					{confirm}
				</BusyButton>
			</Group>
		</Modal>
	)
}
