import { useMutation } from '@tanstack/react-query'
import { contactGroups, contacts, type GroupRow } from '#features/contacts/contract.ts'
import { formatCount } from '#lib/numbers.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

interface DeleteGroupProps {
	group: GroupRow | null
	opened: boolean
	onClose: () => void
}

export function DeleteGroup({ group, opened, onClose }: DeleteGroupProps) {
	const remove = useMutation({
		...mutation(contactGroups.remove),
		onSuccess: async ({ message }) => {
			briefToast.success(message)
			onClose()
			await invalidate(contacts.groups, contacts.list, contacts.latest)
		},
		onError: (error) => briefToast.failure(error, 'Failed to delete contact group'),
	})
	return (
		<ConfirmDialog
			opened={opened}
			title="Delete contact group?"
			confirm="Delete"
			busyText="Deleting..."
			busy={remove.isPending}
			danger
			onConfirm={() => group && remove.mutate({ params: { id: group._id } })}
			onClose={onClose}
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
