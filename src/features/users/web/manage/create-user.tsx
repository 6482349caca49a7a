import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { auth, CreateUserBody, type Role } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import { call, messageOf, type ApiError } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { BriefBanner, useBriefBanner } from './brief-banner.tsx'
import { roles } from './roles.ts'
import styles from './create-user.module.css'

const BLANK = { name: '', email: '', password: '', role: 'user' as Role, isActive: true }

export function CreateUser() {
	const [banner, showBanner] = useBriefBanner()
	const [created, setCreated] = useState(0)
	const { form, busy, draft, onSubmit } = useSchemaForm({
		draft: 'create-user',
		schema: CreateUserBody,
		initialValues: BLANK,
		submit: async (body) => {
			await call(auth.createUser, { body })
			showBanner({ tone: 'ok', text: 'User created successfully!' })
			form.reset()
			setCreated((count) => count + 1)
			form.getInputNode('name')?.focus()
			void invalidate(users.list)
		},
		failed: (error) => {
			showBanner({ tone: 'error', text: reasonOf(error) })
			// An address that is taken is put right at its field.
			if (error.status === 409) form.setFieldError('email', error.message)
			if (error.status === 409) form.getInputNode('email')?.focus()
		},
	})
	return (
		<>
			<PageHeader title="Create User" hint="A new account can sign in as soon as it is active." />
			<Card narrow>
				<form className={styles.form} onSubmit={onSubmit} noValidate>
					<BriefBanner banner={banner} />
					<DraftNotice draft={draft} missing="The password has to be entered again." />
					<div className="stack">
						<TextInput label="Full Name" autoComplete="off" required {...form.getInputProps('name')} />
						<TextInput
							label="Email Address"
							type="email"
							autoComplete="off"
							required
							{...form.getInputProps('email')}
						/>
						{/* Made anew for the next user, as a password that was shown stays shown. */}
						<NewPasswordField
							key={created}
							{...form.getInputProps('password')}
							person={form.values}
							onGenerate={(password) => form.setFieldValue('password', password)}
						/>
						<Select label="User Role" data={roles} allowDeselect={false} required {...form.getInputProps('role')} />
						<Switch
							label="Account Status"
							description={form.values.isActive ? 'Active: can sign in' : 'Inactive: cannot sign in'}
							{...form.getInputProps('isActive', { type: 'checkbox' })}
						/>
						<Button type="submit" className={styles.submit} disabled={busy} aria-busy={busy}>
							{busy ? 'Creating User...' : 'Create User'}
						</Button>
					</div>
				</form>
			</Card>
		</>
	)
}

function reasonOf(error: ApiError): string {
	return error.status === 0 ? 'Something went wrong' : messageOf(error, 'Failed to create user')
}
