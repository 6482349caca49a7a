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
	/** The question, and what cannot be undone. */
	children: ReactNode
	/** The word on the button that does it. */
	confirm: string
	/** The word on the button that leaves everything as it is, where "Cancel" would be misread. */
	dismiss?: string
	/** Red, for what destroys. */
	danger?: boolean
	/** Does it, and closes the dialog when it is done; until then it is busy and stays open. */
	onConfirm: () => unknown
	/** Says that it failed; the dialog stays open. */
	failed?: (error: unknown) => void
}

/** The focus starts on Cancel, so that Enter alone does no harm. */
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
