import { Anchor, Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { queryClient } from '#lib/web/query.ts'
import { useLocation, useNavigate, useSearchParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { storeSession, type Departure } from '#lib/web/session.ts'
import { toast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { auth, LoginBody, type SessionUser } from '../contract.ts'
import { authPaths } from '../paths.ts'
import { SecondStep } from './second-factor/second-step.tsx'

interface LoginProps {
	/** Returns the path to open after sign-in, for the user and the page `next` that the visitor came for. */
	destination: (user: SessionUser, next: string | null) => string
}

/** Messages for a visitor whose session in this browser has ended, by reason. */
const DEPARTURES: Record<Departure, string> = {
	left: 'You signed out in another tab.',
	ended: 'Your session has ended. Sign in to go on where you were: what you typed is kept.',
}

export function Login({ destination }: LoginProps) {
	const enter = useEnter(destination)
	const { reason } = (useLocation().state ?? {}) as { reason?: Departure }
	const [capsLock, setCapsLock] = useState(false)
	const [challenge, setChallenge] = useState('')
	const state = useSchemaForm({
		schema: LoginBody,
		initialValues: { email: '', password: '', remember: false },
		submit: async (values) => {
			const opened = await call(auth.login, { body: values })
			toast.success('Login successful!')
			await enter(opened)
		},
		failed: (error) => {
			const next = error.details?.['challenge']
			if (typeof next === 'string') return setChallenge(next)
			if (error.status === 0) toast.error('Server error')
			else toast.failure(error, 'Login failed')
		},
	})
	const { form } = state
	const goBack = (why?: string) => {
		setChallenge('')
		form.setFieldValue('password', '')
		if (why) toast.error(why)
	}
	if (challenge) return <SecondStep challenge={challenge} onSignedIn={enter} onBack={goBack} />
	return (
		<>
			<PageHeader title="Login" hint="Welcome back. Sign in to your account." />
			<Form state={state}>
				{reason && (
					<Notice tone="info" role="status">
						{DEPARTURES[reason]}
					</Notice>
				)}
				<TextInput
					label="Email"
					name="email"
					type="email"
					autoComplete="username"
					placeholder="you@example.com"
					required
					{...form.getInputProps('email')}
				/>
				<PasswordField
					label="Password"
					name="password"
					autoComplete="current-password"
					required
					description={capsLock ? 'Caps Lock is on' : undefined}
					onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
					{...form.getInputProps('password')}
				/>
				<Group justify="space-between">
					<Checkbox label="Remember me" {...form.getInputProps('remember', { type: 'checkbox' })} />
					<Anchor component={Link} to={authPaths.forgot}>
						Forgot password?
					</Anchor>
				</Group>
				<SubmitButton fullWidth busyText="Logging in...">
					Login
				</SubmitButton>
			</Form>
		</>
	)
}

/** Returns a function that stores an opened session and navigates to the user's page. */
function useEnter(destination: LoginProps['destination']) {
	const navigate = useNavigate()
	const [search] = useSearchParams()
	return async ({ token, user }: { token: string; user: SessionUser }) => {
		queryClient.clear()
		storeSession(token, user)
		await navigate(destination(user, search.get('next')), { replace: true })
	}
}
