import { Checkbox, Select } from '@mantine/core'
import type { FileColumns } from '#features/campaigns/form-fields.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { columnNames } from './file-rows.ts'
import type { FileAnalysis } from './use-audience-file.ts'
import styles from './audience-file.module.css'

const FIELDS = [
	{ field: 'number', label: 'Number' },
	{ field: 'firstName', label: 'First name' },
	{ field: 'lastName', label: 'Last name' },
] as const

interface ColumnChoiceProps {
	analysis: FileAnalysis
	onChange: (columns: FileColumns) => void
	disabled: boolean
}

/** Which column of the file is which: found by its header, and for whoever knows better to change. */
export function ColumnChoice({ analysis: { header, columns }, onChange, disabled }: ColumnChoiceProps) {
	const options = columnNames(header, columns).map((label, index) => ({ value: String(index), label }))
	return (
		<fieldset className={styles.columns}>
			<legend className={styles.legend}>Columns of the file</legend>
			{columns.number === null && (
				<Notice tone="warn" role="status">
					Choose the column with the number. The header does not say which one it is.
				</Notice>
			)}
			<div className={styles.choices}>
				{FIELDS.map(({ field, label }) => (
					<Select
						key={field}
						label={label}
						placeholder={field === 'number' ? 'Choose a column' : 'None'}
						data={options}
						value={columns[field] === null ? null : String(columns[field])}
						onChange={(chosen) => onChange({ ...columns, [field]: chosen === null ? null : Number(chosen) })}
						clearable={field !== 'number'}
						clearButtonProps={{ 'aria-label': `No ${label.toLowerCase()}` }}
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
