import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { query } from '#lib/web/query.ts'
import { auth } from '../contract.ts'
import { CurrentPassword } from './second-factor/factor-form.tsx'

interface ProofValues {
	currentPassword?: string | undefined
	code?: string | undefined
}

/** Initial values of a form with a `ProofField`. */
export const NO_PROOF = { currentPassword: '', code: '' }

interface ProofFieldProps<Values> {
	form: UseFormReturnType<Values>
	/** Text below the input: the reason why the proof is required. */
	why?: string
}

/** Renders the input for a proof of identity: a code when the user has a second factor, otherwise the current password. */
export function ProofField<Values extends ProofValues>({ form, why }: ProofFieldProps<Values>) {
	const state = useQuery(query(auth.secondFactor))
	if (!state.data?.isOn) return <CurrentPassword description={why} {...form.getInputProps('currentPassword')} />
	const error = form.errors['code'] ?? (form.errors['currentPassword'] && 'Code is required')
	return (
		<TextInput
			label="Code"
			description={['The code in your authenticator app, or a recovery code.', why].filter(Boolean).join(' ')}
			autoComplete="one-time-code"
			required
			{...form.getInputProps('code')}
			error={error}
		/>
	)
}
