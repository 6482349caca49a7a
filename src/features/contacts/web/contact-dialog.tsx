import { Modal } from '@mantine/core'
import { useState } from 'react'
import { ContactForm } from './contact-form.tsx'

interface ContactDialogProps {
	opened: boolean
	groups: { value: string; label: string }[]
	onClose: () => void
	/** Told the new contact's id. */
	onAdded: (id: string) => void
}

/** Stays open until the contact is saved, so that nothing typed is lost to an error. */
export function ContactDialog({ opened, groups, onClose, onAdded }: ContactDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title="Add New Contact"
			size={520}
			closeOnClickOutside={false}
		>
			<ContactForm
				groups={groups}
				onBusy={setBusy}
				onCancel={onClose}
				onDone={(id) => {
					onClose()
					onAdded(id)
				}}
			/>
		</Modal>
	)
}
