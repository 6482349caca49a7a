import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { GroupRow } from '#features/contacts/contract.ts'
import { GroupForm } from './group-form.tsx'

interface GroupDialogProps {
	opened: boolean
	/** The one that is edited; null for a new one. */
	group: GroupRow | null
	onClose: () => void
	onSaved: (id: string) => void
}

/** Stays open until the group is saved. */
export function GroupDialog({ opened, group, onClose, onSaved }: GroupDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title={group ? 'Edit Group' : 'Add New Group'}
			size={520}
			closeOnClickOutside={false}
		>
			<GroupForm
				key={group?._id ?? 'new'}
				group={group}
				onBusy={setBusy}
				onCancel={onClose}
				onDone={(id) => {
					onClose()
					onSaved(id)
				}}
			/>
		</Modal>
	)
}
