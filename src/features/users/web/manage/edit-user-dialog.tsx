import { Select, Switch, TextInput } from '@mantine/core'
import { EDITED_FIELDS, EditUserBody, users, type UserRow } from '#features/users/contract.ts'
import { isolate } from '#lib/text/bidi.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { BusinessFields } from '../business-fields.tsx'
import { roles } from './roles.ts'
import { updateRow } from './user-rows.ts'

interface EditUserDialogProps {
	dialog: DialogFor<UserRow>
	/** Receives the id of the changed user. */
	onSaved: (id: string) => void
}

export function EditUserDialog({ dialog, onSaved }: EditUserDialogProps) {
	const { subject: user, close } = dialog
	const done = (id: string) => {
		close()
		onSaved(id)
	}
	return (
		<FormDialog dialog={dialog} title={`Edit User: ${isolate(user?.name ?? '')}`} size={520}>
			{user && <EditUserForm user={user} onSaved={done} />}
		</FormDialog>
	)
}

function EditUserForm({ user, onSaved }: { user: UserRow; onSaved: (id: string) => void }) {
	const { name, email, role, isActive, businessName, businessAddress, businessState, gstin } = user
	const state = useSchemaForm<EditUserBody>({
		draft: draftName('user', user),
		schema: EditUserBody,
		initialValues: { name, email, role, isActive, businessName, businessAddress, businessState, gstin },
		submit: async (body) => {
			const unchanged = EDITED_FIELDS.filter((field) => !form.isDirty(field))
			const change = { params: { id: user._id }, body: { ...body, unchanged } }
			const saved = await call(users.update, change)
			updateRow(user._id, saved.user)
			toast.success(saved.message)
			onSaved(user._id)
			void invalidate(users.me)
		},
		failed: (error) => {
			toast.failure(error, 'Failed to update user')
			void invalidate(users.list)
		},
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<TextInput label="Full Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
			<TextInput label="Email Address" type="email" autoComplete="off" required {...form.getInputProps('email')} />
			<Select label="User Role" data={roles} allowDeselect={false} required {...form.getInputProps('role')} />
			<Switch
				label="Account Status"
				description={form.values.isActive ? 'Active: can sign in' : 'Inactive: cannot sign in'}
				{...form.getInputProps('isActive', { type: 'checkbox' })}
			/>
			{form.values.role === 'user' && <BusinessFields form={form} />}
			<FormButtons>Save Changes</FormButtons>
		</GuardedForm>
	)
}
