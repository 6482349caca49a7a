import { Group } from '@mantine/core'
import { IconBell, IconBellOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'
import { contacts, type ContactRow } from '../contract.ts'
import { nameOf } from './contact-columns.tsx'

interface ContactActionsProps {
	contact: ContactRow
	onEdit: (contact: ContactRow) => void
	onDelete: (contact: ContactRow) => void
}

export function ContactActions({ contact, onEdit, onDelete }: ContactActionsProps) {
	const name = nameOf(contact)
	return (
		<Group gap={6} wrap="nowrap" justify="flex-end">
			<OptOutButton contact={contact} />
			<RowButton label={`Edit ${name}`} icon={<IconPencil size={18} aria-hidden />} onClick={() => onEdit(contact)} />
			<RowButton
				danger
				label={`Delete ${name}`}
				icon={<IconTrash size={18} aria-hidden />}
				onClick={() => onDelete(contact)}
			/>
		</Group>
	)
}

/** By hand, for whoever says so on the phone or at the counter. */
function OptOutButton({ contact }: { contact: ContactRow }) {
	const { _id: id, optedOut } = contact
	const change = useMutation({
		...mutation(contacts.setOptOut),
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			await invalidate(contacts.list, contacts.latest, contacts.optOuts)
		},
		onError: (error) => briefToast.failure(error, 'Failed to save contact'),
	})
	const Icon = optedOut ? IconBell : IconBellOff
	return (
		<RowButton
			label={optedOut ? `Send ${nameOf(contact)} marketing again` : `Opt ${nameOf(contact)} out of marketing`}
			icon={<Icon size={18} aria-hidden />}
			disabled={change.isPending}
			onClick={() => change.mutate({ params: { id }, body: { optedOut: !optedOut } })}
		/>
	)
}
