import { Group } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { useSchemaForm } from '#lib/web/form.ts'
import { toast } from '#lib/web/toast.tsx'
import { CancelButton, SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'

interface FactorFormProps<Values> {
	schema: ZodMiniType
	initialValues: Values
	submit: (values: Values) => Promise<void>
	/** Label of the button. */
	word: string
	danger?: boolean
	onCancel: (() => void) | undefined
	/** Renders the fields. `propsOf` returns the input props of a field. */
	children: (propsOf: (name: keyof Values & string) => GetInputPropsReturnType) => ReactNode
}

/** Renders the form for one step of setting up or removing a second factor. */
export function FactorForm<Values extends Record<string, unknown>>(props: FactorFormProps<Values>) {
	const { schema, initialValues, submit, word, danger = false, onCancel, children } = props
	const state = useSchemaForm({
		schema,
		initialValues,
		submit,
		failed: (error) => toast.failure(error, 'Server error'),
	})
	return (
		<Form state={state}>
			{children((name) => state.form.getInputProps(name))}
			<Group>
				<SubmitButton color={danger ? 'red' : undefined}>{word}</SubmitButton>
				{onCancel && <CancelButton onClick={onCancel} />}
			</Group>
		</Form>
	)
}

/** Renders the input for the current password of the person who is signed in. */
export function CurrentPassword(props: GetInputPropsReturnType & { description?: string | undefined }) {
	return (
		<PasswordField
			label="Current Password"
			what="current password"
			autoComplete="current-password"
			required
			{...props}
		/>
	)
}
