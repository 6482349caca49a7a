import { Select, TextInput } from '@mantine/core'
import type { FieldRow } from '#features/contacts/own-fields-contract.ts'
import { SearchBox } from '#lib/web/ui/table/search-box.tsx'
import { ANSWERS } from '../own-fields.ts'
import styles from './manage-contacts.module.css'

interface FieldFilterProps {
	field: FieldRow
	/** Empty for any. */
	value: string
	onChange: (value: string) => void
}

/** What the contacts that are listed have in a field. */
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
	if (type === 'date')
		return (
			<TextInput
				className={styles.group}
				aria-label={name}
				type="date"
				value={value}
				onChange={(event) => onChange(event.currentTarget.value)}
			/>
		)
	return <SearchBox value={value} onSearch={onChange} placeholder="Any value" label={name} />
}
