import { Button, Group } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { ZodMiniType } from 'zod/mini'
import { useSchemaForm } from '#lib/web/form.ts'
import { toast } from '#lib/web/toast.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'

interface FactorFormProps<Values> {
	schema: ZodMiniType
	initialValues: Values
	submit: (values: Values) => Promise<void>
	/** On the button. */
	word: string
	danger?: boolean
	onCancel: (() => void) | undefined
	/** Its fields, by what each of them needs of the form. */
	children: (propsOf: (name: keyof Values & string) => GetInputPropsReturnType) => ReactNode
}

/** A step of setting up or removing a second factor. */
export function FactorForm<Values extends Record<string, unknown>>(props: FactorFormProps<Values>) {
	const { schema, initialValues, submit, word, danger = false, onCancel, children } = props
	const { form, busy, onSubmit } = useSchemaForm({
		schema,
		initialValues,
		submit,
		failed: (error) => {
			if (Object.keys(error.fields).length === 0) toast.failure(error, 'Server error')
		},
	})
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			{children((name) => form.getInputProps(name))}
			<Group>
				<Button type="submit" color={danger ? 'red' : undefined} disabled={busy} aria-busy={busy}>
					{word}
				</Button>
				{onCancel && (
					<Button variant="default" disabled={busy} onClick={onCancel}>
						Cancel
					</Button>
				)}
			</Group>
		</form>
	)
}

export function CurrentPassword(props: GetInputPropsReturnType) {
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
