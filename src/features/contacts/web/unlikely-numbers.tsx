import { Checkbox } from '@mantine/core'
import { plural } from '#lib/numbers.ts'

interface UnlikelyNumbersProps {
	/** Verb in the checkbox's label. */
	action: 'upload' | 'send to'
	count: number
	/** Includes the unlikely numbers, which are left out by default. */
	withUnlikely: boolean
	onChange: (withUnlikely: boolean) => void
	disabled?: boolean
}

/** Asks whether to include numbers of a file that do not look like mobile numbers. */
export function UnlikelyNumbers({ action, count, withUnlikely, onChange, disabled = false }: UnlikelyNumbersProps) {
	if (count === 0) return null
	return (
		<Checkbox
			label={`Also ${action} the ${plural(count, 'unlikely number')}`}
			description="These numbers do not look like mobile numbers. Check or correct them first: a message to a wrong number may reach a stranger."
			checked={withUnlikely}
			onChange={(event) => onChange(event.currentTarget.checked)}
			disabled={disabled}
		/>
	)
}
