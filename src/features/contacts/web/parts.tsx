import { Box, Checkbox, MultiSelect, Select, Stack } from '@mantine/core'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FIELDS, type Columns } from '../columns.ts'

const LABELS = { firstName: 'First name', lastName: 'Last name', number: 'Number' }

interface ColumnChoiceProps {
	/** A file of people as it was read. */
	file: { header: string[]; columns: Columns }
	/** The columns without which the file is of no use. */
	required: readonly (keyof typeof LABELS)[]
	onChange: (columns: Columns) => void
	disabled: boolean
}

/** Which column of a file is which: found by its header, and for whoever knows better to change. */
export function ColumnChoice({ file: { header, columns }, required, onChange, disabled }: ColumnChoiceProps) {
	const options = columnNames(header, columns).map((label, index) => ({ value: String(index), label }))
	return (
		<Stack component="fieldset" className="framed" gap={12} miw={0} m={0} p={16}>
			<Box component="legend" px={4} fw={600}>
				Columns of the file
			</Box>
			{required.some((field) => columns[field] === null) && (
				<Notice tone="warn" role="status">
					{required.includes('firstName')
						? 'Choose the columns with the first name and the number. The header does not say which they are.'
						: 'Choose the column with the number. The header does not say which one it is.'}
				</Notice>
			)}
			<Box className="abreast" style={{ '--least': '180px', gap: 12 }}>
				{FIELDS.map((field) => (
					<Select
						key={field}
						label={LABELS[field]}
						placeholder={required.includes(field) ? 'Choose a column' : 'None'}
						data={options}
						value={columns[field] === null ? null : String(columns[field])}
						onChange={(chosen) => onChange({ ...columns, [field]: chosen === null ? null : Number(chosen) })}
						clearable={!required.includes(field)}
						clearButtonProps={{ 'aria-label': `No ${LABELS[field].toLowerCase()}` }}
						allowDeselect={false}
						disabled={disabled}
					/>
				))}
			</Box>
			<NumberColumns {...{ file: { header, columns }, onChange, disabled }} />
			<Checkbox
				label="The first row names the columns"
				checked={columns.hasHeader}
				onChange={(event) => onChange({ ...columns, hasHeader: event.currentTarget.checked })}
				disabled={disabled}
			/>
		</Stack>
	)
}

type NumberColumnsProps = Pick<ColumnChoiceProps, 'file' | 'onChange' | 'disabled'>

/** The columns that belong to the numbers: where another number is taken from, and the column with country codes. */
function NumberColumns({ file: { header, columns }, onChange, disabled }: NumberColumnsProps) {
	const { number, otherNumbers = [], countryCode = null } = columns
	if (number === null || header.length < 2) return null
	const options = columnNames(header, columns)
		.map((label, index) => ({ value: String(index), label }))
		.filter(({ value }) => value !== String(number))
	return (
		<Box className="abreast" style={{ '--least': '180px', gap: 12 }}>
			<MultiSelect
				label="Where the number is empty, take"
				description="In this order"
				inputWrapperOrder={['label', 'input', 'description', 'error']}
				placeholder={otherNumbers.length === 0 ? 'No other column' : ''}
				data={options}
				value={otherNumbers.filter((at) => at !== number).map(String)}
				onChange={(chosen) => onChange({ ...columns, otherNumbers: chosen.map(Number) })}
				maxValues={20}
				disabled={disabled}
			/>
			<Select
				label="Country code"
				description="A column with +91, +1 or 971"
				placeholder="None"
				data={options}
				value={countryCode === null ? null : String(countryCode)}
				onChange={(chosen) => onChange({ ...columns, countryCode: chosen === null ? null : Number(chosen) })}
				clearable
				clearButtonProps={{ 'aria-label': 'No country code' }}
				allowDeselect={false}
				disabled={disabled}
			/>
		</Box>
	)
}

/** What the columns are called on screen: "City", or "Column 3: Pune" where nothing names them. */
export function columnNames(header: readonly string[], { hasHeader }: Columns): string[] {
	return header.map((name, index) =>
		hasHeader && name ? name : `Column ${index + 1}${name ? `: ${name.slice(0, 40)}` : ''}`,
	)
}
