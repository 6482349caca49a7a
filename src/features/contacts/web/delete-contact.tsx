import { useMutation } from '@tanstack/react-query'
import { displayNumber } from '#lib/phone.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { contacts, type ContactRow } from '../contract.ts'
import { nameOf } from './contact-columns.tsx'

interface DeleteContactProps {
	contact: ContactRow | null
	opened: boolean
	onClose: () => void
}

export function DeleteContact({ contact, opened, onClose }: DeleteContactProps) {
	const remove = useMutation({
		...mutation(contacts.remove),
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			onClose()
			await invalidate(contacts.list, contacts.latest, contacts.groups)
		},
		onError: (error) => briefToast.failure(error, 'Failed to delete contact'),
	})
	return (
		<ConfirmDialog
			opened={opened}
			title="Delete contact?"
			confirm="Delete"
			busyText="Deleting..."
			busy={remove.isPending}
			danger
			onConfirm={() => contact && remove.mutate({ params: { id: contact._id } })}
			onClose={onClose}
		>
			{contact && (
				<>
					<strong>{nameOf(contact)}</strong> ({displayNumber(contact.number)}) will be removed from your contacts.
					Campaigns that were created before still include this number. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}
