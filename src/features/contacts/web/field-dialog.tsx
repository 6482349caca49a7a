import { Select, TextInput } from '@mantine/core'
import { contacts } from '#features/contacts/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { NamedField, NewField, customFields, type FieldRow } from '../custom-fields.ts'
import { TYPE_CHOICES } from './custom-fields.ts'

/**
 * Renders the dialog that adds a field, or renames one. The type cannot be changed, because contacts have values of
 * that type.
 */
export function FieldDialog({ dialog }: { dialog: DialogFor<FieldRow | null> }) {
	const { subject: field } = dialog
	return (
		<FormDialog dialog={dialog} title={field ? 'Rename Field' : 'Add New Field'} size={440}>
			<FieldForm key={field?._id ?? 'new'} field={field} onDone={dialog.close} />
		</FormDialog>
	)
}

function FieldForm({ field, onDone }: { field: FieldRow | null; onDone: () => void }) {
	const state = useSchemaForm({
		schema: field ? NamedField : NewField,
		initialValues: { name: field?.name ?? '', type: field?.type ?? 'text' },
		submit: ({ name, type }) =>
			field
				? call(customFields.rename, { params: { id: field._id }, body: { name } })
				: call(customFields.create, { body: { name, type } }),
		saved: async ({ message }) => {
			briefToast.success(message)
			await invalidate(customFields.list, contacts.list, contacts.latest)
			onDone()
		},
		failed: (error) => briefToast.failure(error, 'Failed to save field'),
	})
	const { form } = state
	return (
		<Form state={state}>
			<TextInput
				label="Name"
				placeholder="City, Birthday, Amount due"
				autoComplete="off"
				required
				data-autofocus
				{...form.getInputProps('name')}
			/>
			{!field && (
				<Select
					label="What it holds"
					data={TYPE_CHOICES}
					allowDeselect={false}
					required
					{...form.getInputProps('type')}
				/>
			)}
			<FormButtons>Save</FormButtons>
		</Form>
	)
}
