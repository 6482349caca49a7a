import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { FieldRow } from '#features/contacts/custom-fields.ts'
import { SearchBox } from '#lib/web/ui/table/filters/search-box.tsx'
import { ANSWERS } from '../custom-fields.ts'
import styles from './manage-contacts.module.css'

interface FieldFilterProps {
	field: FieldRow
	/** Empty matches any value. */
	value: string
	onChange: (value: string) => void
}

/** Renders the input for the value that a field filter looks for. */
export function FieldFilter({ field: { name, type }, value, onChange }: FieldFilterProps) {
	if (type === 'yesno')
		return (
			<Select
				className={styles.group}
				aria-label={name}
				placeholder="Yes or no"
				clearable
				data={ANSWERS}
				value={value || null}
				onChange={(chosen) => onChange(chosen ?? '')}
			/>
		)
	if (type === 'date') return <DayFilter name={name} value={value} onChange={onChange} />
	return <SearchBox value={value} onSearch={onChange} placeholder="Any value" label={name} />
}

/** Renders the input for a day. Ignores years such as 0002, 0020 and 0202, which occur while a year is typed. */
function DayFilter({ name, value, onChange }: { name: string } & Pick<FieldFilterProps, 'value' | 'onChange'>) {
	const [typed, setTyped] = useState({ day: value, value })
	return (
		<TextInput
			className={styles.group}
			aria-label={name}
			type="date"
			value={typed.value === value ? typed.day : value}
			onChange={({ currentTarget: { value: day } }) => {
				const isWhole = !day.startsWith('0')
				setTyped({ day, value: isWhole ? day : value })
				if (isWhole) onChange(day)
			}}
		/>
	)
}
