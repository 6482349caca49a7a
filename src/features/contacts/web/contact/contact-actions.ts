import { IconBell, IconBellOff, IconPencil, IconShieldLock, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { contacts, type ContactRow } from '#features/contacts/contract.ts'
import { personPath } from '#features/privacy/paths.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import type { Column } from '#lib/web/ui/table/data-table.tsx'
import { actionsColumn, type RowAction } from '#lib/web/ui/table/row/row-actions.tsx'
import { nameOf } from '../contact-columns.tsx'

interface ContactActions {
	onEdit: (contact: ContactRow) => void
	onDelete: (contact: ContactRow) => void
}

/** Returns the column of a contact's actions. */
export function useContactActions({ onEdit, onDelete }: ContactActions): Column<ContactRow> {
	const optOut = useOptOut()
	return actionsColumn<ContactRow>({
		nameOf,
		actionsOf: (contact) => {
			const name = nameOf(contact)
			return [
				{ word: 'Edit', label: `Edit ${name}`, Icon: IconPencil, onClick: () => onEdit(contact) },
				optOut(contact),
				{
					word: 'Data and privacy',
					label: `Data and privacy of ${name}`,
					Icon: IconShieldLock,
					to: personPath(`+${contact.number}`),
					isRare: true,
				},
				{ word: 'Delete', label: `Delete ${name}`, Icon: IconTrash, danger: true, onClick: () => onDelete(contact) },
			]
		},
	})
}

/** Returns the row action that opts a contact out or in by hand, for people who ask on the phone or at the counter. */
function useOptOut(): (contact: ContactRow) => RowAction {
	const { isPending, variables, mutate } = useMutation({
		...mutation(contacts.setOptOut),
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			await invalidate(contacts.list, contacts.latest, contacts.optOuts)
		},
		onError: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	return (contact) => {
		const { _id: id, optedOut } = contact
		return {
			word: optedOut ? 'Send marketing again' : 'Opt out of marketing',
			label: optedOut ? `Send ${nameOf(contact)} marketing again` : `Opt ${nameOf(contact)} out of marketing`,
			Icon: optedOut ? IconBell : IconBellOff,
			isRare: true,
			disabled: isPending && variables.params.id === id,
			onClick: () => mutate({ params: { id }, body: { optedOut: !optedOut } }),
		}
	}
}
