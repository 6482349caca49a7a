import { Checkbox, Select } from '@mantine/core'
import { FIELDS, type Columns } from '#features/contacts/csv-columns.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import type { Summary } from './csv/csv-messages.ts'
import styles from './upload.module.css'

const LABELS = { firstName: 'First name', lastName: 'Last name', number: 'Number' }

interface ColumnChoiceProps {
	summary: Summary
	onChange: (columns: Columns) => void
	disabled: boolean
}

/** Which column of the file is which: found by its header, and for whoever knows better to change. */
export function ColumnChoice({ summary: { header, columns }, onChange, disabled }: ColumnChoiceProps) {
	const options = header.map((name, index) => ({
		value: String(index),
		label: columns.hasHeader && name ? name : `Column ${index + 1}${name ? `: ${name}` : ''}`,
	}))
	const isIncomplete = columns.firstName === null || columns.number === null
	return (
		<fieldset className={styles.columns}>
			<legend className={styles.legend}>Columns of the file</legend>
			{isIncomplete && (
				<Notice tone="warn" role="status">
					Choose the columns with the first name and the number. The header does not say which they are.
				</Notice>
			)}
			<div className={styles.choices}>
				{FIELDS.map((field) => (
					<Select
						key={field}
						label={LABELS[field]}
						placeholder={field === 'lastName' ? 'None' : 'Choose a column'}
						data={options}
						value={columns[field] === null ? null : String(columns[field])}
						onChange={(chosen) => onChange({ ...columns, [field]: chosen === null ? null : Number(chosen) })}
						clearable={field === 'lastName'}
						clearButtonProps={{ 'aria-label': 'No last name' }}
						allowDeselect={false}
						disabled={disabled}
					/>
				))}
			</div>
			<Checkbox
				label="The first row names the columns"
				checked={columns.hasHeader}
				onChange={(event) => onChange({ ...columns, hasHeader: event.currentTarget.checked })}
				disabled={disabled}
			/>
		</fieldset>
	)
}
