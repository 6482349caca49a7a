import { Box, Checkbox, Select, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { formatCount } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { FIELDS, type Columns, columnNames, hiddenWords, type Hidden } from '../columns.ts'

/** Loaded when the first file is chosen. */
const NumberColumns = lazy(async () => ({ default: (await import('./number-columns.tsx')).NumberColumns }))

const LABELS = { firstName: 'First name', lastName: 'Last name', number: 'Number' }

interface ColumnChoiceProps {
	/** Header and columns of the chosen file. */
	file: { header: string[]; columns: Columns }
	/** Columns without which the file cannot be used. */
	required: readonly (keyof typeof LABELS)[]
	onChange: (columns: Columns) => void
	disabled: boolean
}

/** Renders selects for the columns of a file, preset from the header. */
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
			<Suspense>
				<NumberColumns {...{ header, columns, onChange, disabled }} />
			</Suspense>
			<Checkbox
				label="The first row has column titles"
				checked={columns.hasHeader}
				onChange={(event) => onChange({ ...columns, hasHeader: event.currentTarget.checked })}
				disabled={disabled}
			/>
		</Stack>
	)
}

/** Dialog that edits a contact or adds one. Its code loads after the page. */
export const LateContactDialog = latePart(() =>
	import('./contact/contact-dialog.tsx').then((module) => module.ContactDialog),
)

interface HiddenPartsProps {
	hidden: Hidden
	withHidden: boolean
	onChange: (withHidden: boolean) => void
	disabled: boolean
}

/** Names the hidden rows and columns of a workbook, and asks whether to include them. Renders nothing without any. */
export function HiddenParts({ hidden, withHidden, onChange, disabled }: HiddenPartsProps) {
	const words = hiddenWords(hidden)
	if (words === null) return null
	return (
		<Notice tone="warn" role="status" title={words}>
			<p>They were hidden by a filter or by hand, and are {withHidden ? 'included' : 'left out'}.</p>
			<Checkbox
				mt={8}
				label="Include them"
				checked={withHidden}
				onChange={(event) => onChange(event.currentTarget.checked)}
				disabled={disabled}
			/>
		</Notice>
	)
}

interface UnlikelyNumbersProps {
	/** Verb in the checkbox's label. */
	action: 'upload' | 'send to'
	count: number
	/** Includes the unlikely numbers, which are left out by default. */
	withUnlikely: boolean
	onChange: (withUnlikely: boolean) => void
	disabled?: boolean
}

/** Asks whether to include numbers of a file that do not look like mobile numbers. Renders nothing without any. */
export function UnlikelyNumbers({ action, count, withUnlikely, onChange, disabled = false }: UnlikelyNumbersProps) {
	if (count === 0) return null
	return (
		<Checkbox
			label={`Also ${action} the ${count === 1 ? '1 number that looks' : `${formatCount(count)} numbers that look`} wrong`}
			description="Correct wrong numbers first: a message to one may reach a stranger."
			checked={withUnlikely}
			onChange={(event) => onChange(event.currentTarget.checked)}
			disabled={disabled}
		/>
	)
}
