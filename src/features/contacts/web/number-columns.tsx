import { Box, MultiSelect, Select } from '@mantine/core'
import { type Columns, columnNames } from '../columns.ts'

interface NumberColumnsProps {
	header: string[]
	columns: Columns
	onChange: (columns: Columns) => void
	disabled: boolean
}

/**
 * Renders selects for the columns that complete a number: further number columns, and the column of country codes.
 * Renders nothing before a number column is chosen, or for a file with one column.
 */
export function NumberColumns({ header, columns, onChange, disabled }: NumberColumnsProps) {
	const { number, otherNumbers = [], countryCode = null } = columns
	if (number === null || header.length < 2) return null
	const options = columnNames(header, columns)
		.map((label, index) => ({ value: String(index), label }))
		.filter(({ value }) => value !== String(number))
	return (
		<Box className="abreast" style={{ '--least': '180px', gap: 12 }}>
			<MultiSelect
				label="Second phone column (used when the first is empty)"
				placeholder={otherNumbers.length === 0 ? 'No other column' : ''}
				data={options}
				value={otherNumbers.filter((at) => at !== number).map(String)}
				onChange={(chosen) => onChange({ ...columns, otherNumbers: chosen.map(Number) })}
				maxValues={20}
				disabled={disabled}
			/>
			<Select
				label="Country code"
				description="The column with the country code, such as +91, if the file has one"
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
