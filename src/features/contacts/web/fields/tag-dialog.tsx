import { TextInput } from '@mantine/core'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, NamedTag, customFields, type TagRow } from '#features/contacts/custom-fields.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'

export function TagDialog({ dialog }: { dialog: DialogFor<TagRow> }) {
	const { subject: tag } = dialog
	return (
		<FormDialog dialog={dialog} title="Rename Tag" size={440}>
			{tag && <TagForm key={tag._id} tag={tag} onDone={dialog.close} />}
		</FormDialog>
	)
}

function TagForm({ tag, onDone }: { tag: TagRow; onDone: () => void }) {
	const state = useSchemaForm({
		schema: NamedTag,
		initialValues: { name: tag.name },
		submit: (body) => call(contactTags.rename, { params: { id: tag._id }, body }),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(customFields.list, contacts.list, contacts.latest)
			onDone()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save tag'),
	})
	return (
		<Form state={state}>
			<TextInput label="Name" autoComplete="off" required data-autofocus {...state.form.getInputProps('name')} />
			<FormButtons>Save</FormButtons>
		</Form>
	)
}
