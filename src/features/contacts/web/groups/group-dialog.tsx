import { Select, Textarea, TextInput } from '@mantine/core'
import { contacts } from '#features/contacts/contract.ts'
import { contactGroups, GroupBody, type GroupRow } from '#features/contacts/group-contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { TYPE_NAMES } from './group-columns.tsx'

interface GroupDialogProps {
	/** Holds the group to edit; null adds a new one. */
	dialog: DialogFor<GroupRow>
	onSaved: (id: string) => void
}

export function GroupDialog({ dialog, onSaved }: GroupDialogProps) {
	const { subject: group, close } = dialog
	const done = (id: string) => {
		close()
		onSaved(id)
	}
	return (
		<FormDialog dialog={dialog} title={group ? 'Edit Group' : 'Add New Group'} size={520}>
			<GroupForm key={group?._id ?? 'new'} group={group} onDone={done} />
		</FormDialog>
	)
}

interface GroupFormProps {
	group: GroupRow | null
	onDone: (id: string) => void
}

function GroupForm({ group, onDone }: GroupFormProps) {
	const type: GroupRow['type'] = group?.type ?? 'national'
	const state = useSchemaForm({
		draft: draftName('group', group),
		schema: GroupBody,
		initialValues: { name: group?.name ?? '', type, description: group?.description ?? '' },
		submit: (body) =>
			group ? call(contactGroups.update, { params: { id: group._id }, body }) : call(contactGroups.create, { body }),
		saved: async ({ message, contactGroup }) => {
			briefToast.success(message)
			// Contact lists show the name of the group.
			await invalidate(contacts.groups, contacts.list, contacts.latest)
			onDone(contactGroup._id)
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact group'),
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<TextInput label="Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
			<Select
				label="Type"
				data={Object.entries(TYPE_NAMES).map(([value, label]) => ({ value, label }))}
				allowDeselect={false}
				required
				{...form.getInputProps('type')}
			/>
			<Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
			<FormButtons>Save</FormButtons>
		</GuardedForm>
	)
}
