import { contacts } from '#features/contacts/contract.ts'
import { contactGroups, type GroupRow } from '#features/contacts/group-contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

export function DeleteGroup({ dialog }: { dialog: DialogFor<GroupRow> }) {
	const { subject: group, close } = dialog
	const remove = async () => {
		if (!group) return
		const { message } = await call(contactGroups.remove, { params: { id: group._id } })
		briefToast.success(message)
		close()
		await invalidate(contacts.groups, contacts.list, contacts.latest)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete contact group?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => briefToast.failure(error, 'Failed to delete contact group')}
		>
			{group && (
				<>
					<strong>
						<UserText text={group.name} />
					</strong>{' '}
					will be deleted. {effectOn(group.contacts)} Existing campaigns keep their recipients. This cannot be undone.
				</>
			)}
		</ConfirmDialog>
	)
}

function effectOn(contactCount: number): string {
	if (contactCount === 0) return 'It has no contacts.'
	if (contactCount === 1) return 'Its one contact stays, without a group.'
	return `Its ${formatCount(contactCount)} contacts stay, without a group.`
}
