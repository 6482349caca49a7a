import { Box, Button, Stack, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { formatCount } from '#lib/numbers.ts'

interface AmountFieldProps {
	/** The form's props of the input. */
	input: GetInputPropsReturnType
	/** Amounts in rupees that a click enters. */
	quick: readonly number[]
	onChange: (typed: string) => void
	/** Line below the label. */
	description?: string
}

/** Renders the input of an amount in rupees in a dialog, above buttons of common amounts. */
export function AmountField({ input, quick, onChange, description }: AmountFieldProps) {
	return (
		<Stack gap={8}>
			<TextInput
				{...input}
				label="Amount"
				description={description}
				inputMode="decimal"
				autoComplete="off"
				placeholder="0.00"
				leftSection="₹"
				required
				data-autofocus
				onChange={(event) => onChange(withoutSeparators(event.currentTarget.value))}
			/>
			{quick.length > 0 && (
				<Box className="abreast" style={{ '--least': '4rem', gap: 8 }} role="group" aria-label="Quick amounts">
					{quick.map((amount) => (
						<Button key={amount} variant="default" size="xs" px={4} onClick={() => onChange(String(amount))}>
							₹{formatCount(amount)}
						</Button>
					))}
				</Box>
			)}
		</Stack>
	)
}

/** Removes ₹, commas and spaces, since amounts are often pasted as ₹1,00,000.50. */
function withoutSeparators(typed: string): string {
	return typed.replace(/[₹,\s]/g, '')
}
