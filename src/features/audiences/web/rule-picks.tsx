import { NumberInput, Select } from '@mantine/core'
import type { Choice } from '#lib/web/ui/form/choices.ts'

interface PickProps {
	label: string
	data: Choice[]
	value: string
	onChange: (value: string) => void
	placeholder?: string
}

/** Shows the choice of a part of a rule. */
export function Pick({ label, data, value, onChange, placeholder }: PickProps) {
	return (
		<Select
			aria-label={label}
			placeholder={placeholder}
			data={data}
			searchable={data.length > 8}
			limit={100}
			nothingFoundMessage="Nothing found"
			allowDeselect={false}
			value={value || null}
			onChange={(chosen) => onChange(chosen ?? '')}
		/>
	)
}

/** Shows the choice between a rule and its opposite. */
export function IsPick({
	yes,
	no,
	is,
	onChange,
}: {
	yes: string
	no: string
	is: boolean
	onChange: (is: boolean) => void
}) {
	const data = [
		{ value: 'yes', label: yes },
		{ value: 'no', label: no },
	]
	return <Pick label="How" data={data} value={is ? 'yes' : 'no'} onChange={(value) => onChange(value === 'yes')} />
}

/** Shows the number of days of a rule. */
export function Days({ days, onChange }: { days: number; onChange: (days: number) => void }) {
	return (
		<NumberInput
			aria-label="Days"
			suffix={days === 1 ? ' day' : ' days'}
			min={1}
			max={730}
			allowDecimal={false}
			allowNegative={false}
			value={days}
			onChange={(value) => onChange(Math.min(730, Math.max(1, Number(value) || 1)))}
		/>
	)
}
