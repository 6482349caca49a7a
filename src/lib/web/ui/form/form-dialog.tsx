import { Modal } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { DialogContext } from './form-context.ts'

interface FormDialogProps {
	opened: boolean
	title: ReactNode
	size?: number
	/** A `Form`, which is mounted anew at each opening. */
	children: ReactNode
	onClose: () => void
}

/** A dialog with a form: it stays open while that is sent, and a click beside it does not close it, so that nothing typed is lost. */
export function FormDialog({ opened, title, size, children, onClose }: FormDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal opened={opened} onClose={busy ? () => {} : onClose} title={title} size={size} closeOnClickOutside={false}>
			<DialogContext value={{ close: onClose, setBusy }}>{children}</DialogContext>
		</Modal>
	)
}
