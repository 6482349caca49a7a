import { Textarea, TextInput } from '@mantine/core'
import type { Business } from '#features/users/contract.ts'

interface BusinessFieldsProps {
	/** `form.getInputProps` of the form around the fields. */
	inputProps: (field: keyof Business) => object
	autoComplete?: boolean
}

/** Renders inputs for the business details on receipts and statements. */
export function BusinessFields({ inputProps, autoComplete = false }: BusinessFieldsProps) {
	const fill = (kind: string) => (autoComplete ? kind : 'off')
	return (
		<>
			<TextInput
				label="Business Name"
				description="The business details are printed on receipts and statements. Leave empty what you do not need."
				autoComplete={fill('organization')}
				{...inputProps('businessName')}
			/>
			<Textarea
				label="Business Address"
				rows={3}
				autoComplete={fill('street-address')}
				{...inputProps('businessAddress')}
			/>
			<TextInput label="GSTIN" autoComplete="off" spellCheck={false} {...inputProps('gstin')} />
		</>
	)
}
