import { Select, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import type { Business } from '#features/users/contract.ts'
import { GST_STATES } from '#lib/gst-states.ts'
import { isGstin, plainGstin, stateOfGstin } from '#lib/gstin.ts'

interface BusinessFieldsProps {
	/** The form around the fields, whose values include the business details. */
	form: {
		getInputProps: (field: keyof Business) => InputProps
		setFieldValue: (field: 'businessState', value: string) => void
	}
	autoComplete?: boolean
}

interface InputProps {
	value?: string
	/** Takes the event of an input, or the value itself. */
	onChange: (changed: unknown) => void
}

const STATES = Object.entries(GST_STATES).map(([value, label]) => ({ value, label }))

/** Renders inputs for the business details on receipts and statements. A complete GSTIN sets the state. */
export function BusinessFields({ form, autoComplete = false }: BusinessFieldsProps) {
	const fill = (kind: string) => (autoComplete ? kind : 'off')
	const state = form.getInputProps('businessState')
	const gstin = form.getInputProps('gstin')
	const changeGstin = (event: ChangeEvent<HTMLInputElement>) => {
		gstin.onChange(event)
		const typed = plainGstin(event.currentTarget.value)
		if (isGstin(typed) && stateOfGstin(typed)) form.setFieldValue('businessState', stateOfGstin(typed))
	}
	return (
		<>
			<TextInput
				label="Business Name"
				description="All business details are optional. They are printed on receipts and statements."
				autoComplete={fill('organization')}
				{...form.getInputProps('businessName')}
			/>
			<Textarea
				label="Business Address"
				rows={3}
				autoComplete={fill('street-address')}
				{...form.getInputProps('businessAddress')}
			/>
			<Select
				label="State"
				placeholder="Choose a state"
				data={STATES}
				searchable
				clearable
				nothingFoundMessage="No such state"
				{...state}
				value={state.value || null}
				onChange={(value) => state.onChange(value ?? '')}
			/>
			<TextInput label="GSTIN" autoComplete="off" spellCheck={false} {...gstin} onChange={changeGstin} />
		</>
	)
}
