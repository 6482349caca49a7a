import { Modal } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { DialogFor } from '../state/use-dialog-for.ts'
import { useSeenOpening } from '../state/use-seen-opening.ts'
import { DialogContext } from './form-context.ts'

interface FormDialogProps {
	dialog: Pick<DialogFor<unknown>, 'opened' | 'close'>
	title: ReactNode
	size?: number
	/** A `Form`, mounted anew at each opening. */
	children: ReactNode
}

/**
 * Renders a dialog with a form. It stays open while the form is sent, and ignores clicks outside, so that no input is
 * lost.
 */
export function FormDialog({ dialog: { opened, close }, title, size, children }: FormDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={useSeenOpening(opened)}
			onClose={busy ? () => {} : close}
			title={title}
			size={size}
			closeOnClickOutside={false}
		>
			<DialogContext value={{ close, setBusy }}>{children}</DialogContext>
		</Modal>
	)
}
