import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { ContactRow } from '../contract.ts'
import { ContactForm } from './contact-form.tsx'

interface ContactDialogProps {
	opened: boolean
	/** The one that is edited; a new one when left out. */
	contact?: ContactRow | null
	groups: { value: string; label: string }[]
	onClose: () => void
	/** Gets the saved contact's id. */
	onSaved?: (id: string) => void
}

/** Stays open until the contact is saved, so that nothing typed is lost to an error. */
export function ContactDialog({ opened, contact = null, groups, onClose, onSaved }: ContactDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title={contact ? 'Edit Contact' : 'Add New Contact'}
			size={520}
			closeOnClickOutside={false}
		>
			<ContactForm
				key={contact?._id ?? 'new'}
				contact={contact}
				groups={groups}
				onBusy={setBusy}
				onCancel={onClose}
				onDone={(id) => {
					onClose()
					onSaved?.(id)
				}}
			/>
		</Modal>
	)
}
