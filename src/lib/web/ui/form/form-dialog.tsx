import { Modal } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { DialogFor } from '../state/use-dialog-for.ts'
import { useSeenOpening } from '../state/use-seen-opening.ts'
import { DialogContext } from './form-context.ts'

interface FormDialogProps {
	dialog: Pick<DialogFor<unknown>, 'opened' | 'close'>
	title: ReactNode
	size?: number
	/** A `Form`, which is mounted anew at each opening. */
	children: ReactNode
}

/** A dialog with a form: it stays open while that is sent, and a click beside it does not close it, so that nothing typed is lost. */
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
