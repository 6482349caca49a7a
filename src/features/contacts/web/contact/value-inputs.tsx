import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MAX_VALUE_LENGTH } from '#features/contacts/custom-fields.ts'
import type { FieldRow } from '#features/contacts/custom-fields.ts'
import { limited } from '#lib/web/limited.ts'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { ANSWERS, useCustomFields } from '../custom-fields.ts'
import { FieldDialog } from '../field-dialog.tsx'

type Values = Readonly<Record<string, string>>

interface ValueInputsProps {
	values: Values
	onChange: (values: Record<string, string>) => void
	errorOf: (name: string) => ReactNode
}

/** Renders inputs for a contact's values of custom fields, and a button to add a field. */
export function ValueInputs({ values, onChange, errorOf }: ValueInputsProps) {
	const { fields } = useCustomFields()
	const adding = useDialogFor<FieldRow | null>()
	return (
		<>
			{fields.length > 0 && (
				<div className="abreast">
					{fields.map((field) => (
						<ValueInput
							key={field._id}
							field={field}
							value={values[field.name] ?? ''}
							error={errorOf(field.name)}
							onChange={(value) => onChange({ ...values, [field.name]: value })}
						/>
					))}
				</div>
			)}
			<Group>
				<Button variant="subtle" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => adding.open(null)}>
					Add a field
				</Button>
			</Group>
			<FieldDialog dialog={adding} />
		</>
	)
}

interface ValueInputProps {
	field: FieldRow
	value: string
	error: ReactNode
	onChange: (value: string) => void
}

function ValueInput({ field: { name, type }, value, error, onChange }: ValueInputProps) {
	if (type === 'yesno')
		return (
			<Select
				label={name}
				placeholder="Not known"
				clearable
				clearButtonProps={{ 'aria-label': `No answer for ${name}` }}
				data={ANSWERS}
				value={value || null}
				error={error}
				onChange={(chosen) => onChange(chosen ?? '')}
			/>
		)
	return (
		<TextInput
			label={name}
			autoComplete="off"
			{...(type === 'date' && { type: 'date' })}
			{...(type === 'number' && { inputMode: 'decimal' as const })}
			{...limited(MAX_VALUE_LENGTH, { value, error })}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	)
}
