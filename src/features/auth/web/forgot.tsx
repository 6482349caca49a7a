import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { Link } from '#lib/web/router/link.tsx'
import { toast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { auth, ForgotBody } from '../contract.ts'
import { authPaths } from '../paths.ts'

export function Forgot() {
	const [answer, setAnswer] = useState('')
	const state = useSchemaForm({
		schema: ForgotBody,
		initialValues: { email: '' },
		submit: async (body) => {
			setAnswer('')
			const { message } = await call(auth.forgot, { body })
			setAnswer(message)
		},
		failed: (error) => toast.failure(error, 'Server error'),
	})
	return (
		<>
			<PageHeader
				title="Forgot Password"
				hint="Enter your email address. We will send you a link to choose a new password."
			/>
			<Form state={state}>
				{answer && (
					<Notice tone="ok" role="status">
						{answer} It works once, within an hour.
					</Notice>
				)}
				<TextInput
					label="Email"
					name="email"
					type="email"
					autoComplete="username"
					placeholder="you@example.com"
					required
					{...state.form.getInputProps('email')}
				/>
				<SubmitButton fullWidth busyText="Sending...">
					Reset Password
				</SubmitButton>
				<Anchor component={Link} to={authPaths.login} ta="center">
					Back to Login
				</Anchor>
			</Form>
		</>
	)
}
