import { Anchor } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { queryClient } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { clearStorage } from '#lib/web/session.ts'
import { toast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { auth, ResetBody, type ProgramAccess } from '../contract.ts'
import { authPaths } from '../paths.ts'
import { PasswordStrength } from './parts.tsx'
import { WorkingPrograms } from './program-list.tsx'
import { useTokenOfAddress } from './token-of-address.ts'

const NewPassword = z.pick(ResetBody, { password: true })
/** Name and address for the password hint: both are empty, because the link does not tell the browser whose it is. */
const NOBODY_KNOWN = { name: '', email: '' }
const NO_LINK = 'This link is incomplete. Open it again from the email, or ask for a new one.'

/**
 * Renders the page of the mailed reset link. The token is in the fragment (#), so the browser sends it only with the
 * form.
 */
export function ResetPassword() {
	const token = useTokenOfAddress()
	const navigate = useNavigate()
	const [refusal, setRefusal] = useState('')
	const [programs, setPrograms] = useState<ProgramAccess[] | null>(null)
	const state = useSchemaForm({
		schema: NewPassword,
		initialValues: { password: '' },
		submit: async ({ password }) => {
			setRefusal('')
			const answer = await call(auth.resetPassword, { body: { token, password } })
			// The reset has ended all sessions of the user, including one that this browser may hold.
			clearStorage()
			if (answer.programs.length > 0) {
				queryClient.clear()
				setPrograms(answer.programs)
				return
			}
			await navigate(authPaths.login, { replace: true })
			queryClient.clear()
			toast.success(answer.message)
		},
		failed: (error) => {
			if (!error.fields['password']) setRefusal(messageOf(error, 'Server error'))
		},
	})
	const { form } = state
	const problem = token ? refusal : NO_LINK
	if (programs) return <ResetDone programs={programs} />
	return (
		<>
			<PageHeader title="Choose a new password" hint="Use it to sign in. All devices are signed out." />
			<Form state={state}>
				{problem && (
					<Notice tone="error" role="alert">
						{problem}
					</Notice>
				)}
				<PasswordField
					label="New password"
					name="password"
					autoComplete="new-password"
					required
					disabled={!token}
					description={<PasswordStrength password={form.values.password} person={NOBODY_KNOWN} />}
					{...form.getInputProps('password')}
				/>
				<SubmitButton fullWidth disabled={!token} busyText="Saving...">
					Save new password
				</SubmitButton>
				<Anchor component={Link} to={problem ? authPaths.forgot : authPaths.login} ta="center">
					{problem ? 'Ask for a new link' : 'Back to Login'}
				</Anchor>
			</Form>
		</>
	)
}

function ResetDone({ programs }: { programs: readonly ProgramAccess[] }) {
	return (
		<>
			<PageHeader title="Your password has been reset" />
			<div className="stack">
				<WorkingPrograms programs={programs} />
				<Anchor component={Link} to={authPaths.login} ta="center">
					Log in with the new password
				</Anchor>
			</div>
		</>
	)
}
