import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import type { ContactRow } from '../contract.ts'
import { useContactActions } from './contact-actions.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { DeleteContact } from './delete-contact.tsx'

interface ContactDialogs {
	/** The column with what can be done to a row. */
	actions: Column<ContactRow>
	dialogs: React.ReactNode
}

/** What both lists of contacts offer for a row: edit, opt out, delete. */
export function useContactDialogs(
	groups: { value: string; label: string }[],
	onSaved?: (id: string) => void,
): ContactDialogs {
	const edit = useDraftDialog<ContactRow>('contact')
	const remove = useDialogFor<ContactRow>()
	const actions = useContactActions({ onEdit: edit.open, onDelete: remove.open })
	return {
		actions,
		dialogs: (
			<>
				<ContactDialog
					opened={edit.opened}
					contact={edit.subject}
					groups={groups}
					onClose={edit.close}
					{...(onSaved && { onSaved })}
				/>
				<DeleteContact opened={remove.opened} contact={remove.subject} onClose={remove.close} />
			</>
		),
	}
}
