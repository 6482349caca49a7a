import { Box, Group, Radio, Select, Switch, TextInput, type SwitchProps } from '@mantine/core'
import { useState } from 'react'
import { auth, CreateUserBody, InviteUserBody, type Role, type SessionUser } from '#features/auth/contract.ts'
import { users } from '#features/users/contract.ts'
import { call, messageOf, type ApiError } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { NewPasswordField } from '../new-password-field.tsx'
import { BriefBanner, useBriefBanner } from './brief-banner.tsx'
import { type Created, CreatedUser, type CreatedUserProps } from './created-user.tsx'
import { roles } from './roles.ts'

const BLANK = { name: '', email: '', password: '', role: 'user' as Role, isActive: true }

type CreateUserProps = Pick<CreatedUserProps, 'setUpOf'>

export function CreateUser({ setUpOf }: CreateUserProps) {
	const [banner, showBanner] = useBriefBanner()
	const [created, setCreated] = useState<Created | null>(null)
	const [isMailed, setMailed] = useState(false)
	const state = useSchemaForm({
		draft: 'create-user',
		schema: isMailed ? InviteUserBody : CreateUserBody,
		initialValues: BLANK,
		submit: async (body) => {
			const { user, text } = isMailed ? await invite(body) : await create(body)
			showBanner({ tone: 'ok', text })
			setCreated({ user, password: isMailed ? null : body.password })
			form.reset()
			form.getInputNode('name')?.focus()
			void invalidate(users.list)
		},
		failed: (error) => showBanner({ tone: 'error', text: reasonOf(error) }),
	})
	const { form } = state
	const choose = (mailed: boolean) => {
		setMailed(mailed)
		form.setFieldValue('password', '')
		form.clearFieldError('password')
	}
	return (
		<>
			<PageHeader title="Create User" hint="A new account can sign in as soon as it is active." />
			{created && (
				<Box mb={16} maw={720}>
					<CreatedUser created={created} setUpOf={setUpOf} onDismiss={() => setCreated(null)} />
				</Box>
			)}
			<Card narrow>
				<BriefBanner banner={banner} />
				<Form state={state} missing="The password has to be entered again.">
					<TextInput label="Full Name" autoComplete="off" required {...form.getInputProps('name')} />
					<TextInput label="Email Address" type="email" autoComplete="off" required {...form.getInputProps('email')} />
					<PasswordChoice isMailed={isMailed} onChange={choose} />
					{/* The key resets the field for the next user, because a password that was made visible would stay
					   visible. */}
					{!isMailed && (
						<NewPasswordField
							key={created?.user._id}
							{...form.getInputProps('password')}
							person={form.values}
							onGenerate={(password) => form.setFieldValue('password', password)}
						/>
					)}
					<Select label="User Role" data={roles} allowDeselect={false} required {...form.getInputProps('role')} />
					{!isMailed && <AccountStatus {...form.getInputProps('isActive', { type: 'checkbox' })} />}
					<SubmitButton miw={144} mt={4} style={{ alignSelf: 'flex-start' }} busyText="Creating User...">
						Create User
					</SubmitButton>
				</Form>
			</Card>
		</>
	)
}

async function create(body: typeof BLANK): Promise<{ user: SessionUser; text: string }> {
	const { user } = await call(auth.createUser, { body })
	return { user, text: 'User created successfully!' }
}

async function invite({ name, email, role }: typeof BLANK): Promise<{ user: SessionUser; text: string }> {
	const { user, message } = await call(auth.inviteUser, { body: { name, email, role } })
	return { user, text: message }
}

function AccountStatus(field: SwitchProps) {
	const description = field.checked ? 'Active: can sign in' : 'Inactive: cannot sign in'
	return <Switch label="Account Status" description={description} {...field} />
}

interface PasswordChoiceProps {
	isMailed: boolean
	onChange: (isMailed: boolean) => void
}

/** Renders the choice between a typed password, which the admin then knows, and a mailed link. */
function PasswordChoice({ isMailed, onChange }: PasswordChoiceProps) {
	return (
		<Radio.Group
			label="How the password is set"
			value={isMailed ? 'mailed' : 'typed'}
			onChange={(value) => onChange(value === 'mailed')}
			description={isMailed && 'The link works once, for three days. The user can sign in after setting a password.'}
		>
			<Group gap={24} mt={8}>
				<Radio value="typed" label="Type a password" />
				<Radio value="mailed" label="Email a link to set a password" />
			</Group>
		</Radio.Group>
	)
}

function reasonOf(error: ApiError): string {
	return error.status === 0 ? 'Something went wrong' : messageOf(error, 'Failed to create user')
}
