import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { auth } from '#features/auth/contract.ts'
import { PasswordChangeBody, ProfileBody, users, type Profile } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { PasswordSection, type ProfileValues } from './password-section.tsx'
import styles from './my-profile.module.css'

export const PROFILE_DRAFT = 'profile'

interface EditProfileProps {
	profile: Profile
	onSaved: (user: Profile) => void
	onCancel: () => void
}

export function EditProfile({ profile, onSaved, onCancel }: EditProfileProps) {
	const { name, email } = profile
	const [changing, setChanging] = useState(false)
	const state = useSchemaForm<ProfileValues>({
		draft: PROFILE_DRAFT,
		schema: changing ? PasswordChangeBody : ProfileBody,
		initialValues: { name, email, currentPassword: '', newPassword: '' },
		submit: async (values) => {
			const { currentPassword, newPassword, ...rest } = values
			const body = changing ? { ...rest, currentPassword, newPassword } : rest
			const { message, user } = await call(users.updateMe, { body })
			toast.success(message)
			if (changing) void invalidate(auth.sessions)
			onSaved(user)
		},
		failed: (error) => {
			if (error.status === 0) toast.error('Error updating profile')
			else toast.failure(error, 'Failed to update profile')
		},
	})
	const { form, busy } = state
	return (
		<GuardedForm className={`stack ruled ${styles.form}`} state={state}>
			<TextInput label="Full Name" name="name" autoComplete="name" required {...form.getInputProps('name')} />
			<TextInput
				label="Email Address"
				name="email"
				type="email"
				autoComplete="email"
				required
				{...form.getInputProps('email')}
			/>
			{changing ? (
				<PasswordSection form={form} busy={busy} onClose={() => setChanging(false)} />
			) : (
				<Group>
					<Button variant="default" onClick={() => setChanging(true)}>
						Change Password
					</Button>
				</Group>
			)}
			<FormButtons onCancel={onCancel}>Save Changes</FormButtons>
		</GuardedForm>
	)
}
