import { useQuery } from '@tanstack/react-query'
import { briefToast } from '#lib/web/toast.tsx'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import type { ContactRow } from '../contract.ts'
import { useContactActions } from './contact/contact-actions.ts'
import { DeleteContact } from './contact/delete-contact.tsx'
import { allGroups } from './group-select.tsx'
import { LateContactDialog } from './parts.tsx'

interface ContactDialogs {
	add: () => void
	/** Column of a row's actions. */
	actions: Column<ContactRow>
	dialogs: React.ReactNode
}

/** Returns the dialogs that both lists of contacts use, to add, edit and delete, with the column of actions. */
export function useContactDialogs(onSaved?: (id: string) => void): ContactDialogs {
	useErrorToast(useQuery(allGroups).error, 'Failed to fetch groups', briefToast)
	const edit = useDraftDialog<ContactRow>('contact')
	const remove = useDialogFor<ContactRow>()
	const actions = useContactActions({ onEdit: edit.open, onDelete: remove.open })
	return {
		add: () => edit.open(null),
		actions,
		dialogs: (
			<>
				<LateContactDialog dialog={edit} onSaved={onSaved} />
				<DeleteContact dialog={remove} />
			</>
		),
	}
}
