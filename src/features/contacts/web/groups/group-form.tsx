import { Select, Textarea, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { contactGroups, contacts, GroupBody, type GroupRow } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { TYPE_NAMES } from './group-columns.tsx'

interface GroupFormProps {
	group: GroupRow | null
	onBusy: (busy: boolean) => void
	onCancel: () => void
	onDone: (id: string) => void
}

export function GroupForm({ group, onBusy, onCancel, onDone }: GroupFormProps) {
	const type: GroupRow['type'] = group?.type ?? 'national'
	const { form, busy, draft, onSubmit } = useSchemaForm({
		draft: group ? draftName('group', group) : 'group-new',
		schema: GroupBody,
		initialValues: { name: group?.name ?? '', type, description: group?.description ?? '' },
		submit: (body) =>
			group ? call(contactGroups.update, { params: { id: group._id }, body }) : call(contactGroups.create, { body }),
		saved: async ({ message, contactGroup }) => {
			briefToast.success(message)
			// The contacts show the name of their group.
			await invalidate(contacts.groups, contacts.list, contacts.latest)
			onDone(contactGroup._id)
		},
		failed: (error) => briefToast.failure(error, 'Failed to save contact group'),
	})
	useEffect(() => onBusy(busy), [busy, onBusy])
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			<LeaveGuard dirty={form.isDirty() && !busy} />
			<DraftNotice draft={draft} />
			<TextInput label="Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
			<Select
				label="Type"
				data={Object.entries(TYPE_NAMES).map(([value, label]) => ({ value, label }))}
				allowDeselect={false}
				required
				{...form.getInputProps('type')}
			/>
			<Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
			<FormButtons save="Save" busy={busy} onCancel={onCancel} />
		</form>
	)
}
