import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { auth, CodeBody, type SessionUser } from '#features/auth/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { toast } from '#lib/web/toast.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'

/** Focuses each of the two fields when it appears. */
const focus = (input: HTMLInputElement | null) => input?.focus()

interface SecondStepProps {
	/** The challenge that sign-in returned for the right password. */
	challenge: string
	onSignedIn: (opened: { token: string; user: SessionUser }) => Promise<void>
	/** Returns to the password step. `reason` is set when the visitor did not choose to go back. */
	onBack: (reason?: string) => void
}

/** Renders the form for the second step of signing in: a code of the app, or a recovery code. */
export function SecondStep({ challenge, onSignedIn, onBack }: SecondStepProps) {
	const [isRecovery, setRecovery] = useState(false)
	const state = useSchemaForm({
		schema: CodeBody,
		initialValues: { code: '' },
		submit: async ({ code }) => {
			const opened = await call(auth.secondStep, { body: { challenge, code } })
			const left = opened.recoveryCodesLeft
			if (left === null) toast.success('Login successful!')
			else toast.success(`Recovery code used. ${left} left. When none are left, set up two-step login again.`)
			await onSignedIn(opened)
		},
		failed: (error) => {
			if (error.details?.['expired']) return onBack(error.message)
			if (!error.fields['code']) toast.failure(error, 'Login failed')
		},
	})
	const { form } = state
	const turn = () => {
		setRecovery(!isRecovery)
		form.reset()
	}
	return (
		<>
			<PageHeader
				title="Second step"
				hint={
					isRecovery
						? 'Enter one of the recovery codes that you kept when you set this up. Each works once.'
						: 'Enter the 6 digits that your authenticator app shows for this account.'
				}
			/>
			<Form state={state}>
				<TextInput
					key={String(isRecovery)}
					label={isRecovery ? 'Recovery code' : 'Code'}
					name="code"
					autoComplete={isRecovery ? 'off' : 'one-time-code'}
					inputMode={isRecovery ? 'text' : 'numeric'}
					autoCapitalize="none"
					required
					ref={focus}
					{...form.getInputProps('code')}
				/>
				<SubmitButton fullWidth busyText="Logging in...">
					Login
				</SubmitButton>
				<Anchor component="button" type="button" onClick={turn} ta="center">
					{isRecovery ? 'Use the code of the app' : 'Use a recovery code'}
				</Anchor>
				<Anchor component="button" type="button" onClick={() => onBack()} ta="center">
					Back to Login
				</Anchor>
			</Form>
		</>
	)
}
