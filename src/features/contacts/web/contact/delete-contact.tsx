import { contacts, type ContactRow } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { PhoneNumber } from '#lib/web/ui/value/phone-number.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { nameOf } from '../contact-columns.tsx'

export function DeleteContact({ dialog }: { dialog: DialogFor<ContactRow> }) {
	const { subject: contact, close } = dialog
	const remove = async () => {
		if (!contact) return
		const { message } = await call(contacts.remove, { params: { id: contact._id } })
		briefToast.success(message)
		close()
		await invalidate(contacts.list, contacts.latest, contacts.groups)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete contact?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, 'Failed to delete contact')}
		>
			{contact && (
				<>
					<strong>
						<UserText text={nameOf(contact)} />
					</strong>{' '}
					(<PhoneNumber number={contact.number} />) will be removed from your contacts. Existing campaigns still include
					this number. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}
