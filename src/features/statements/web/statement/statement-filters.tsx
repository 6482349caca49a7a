import { Box, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { StatementKind, statements } from '#features/statements/contract.ts'
import { kindNames } from '#features/statements/rules.ts'
import { spellDay } from '#lib/dates.ts'
import { call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import { useStatementFilter } from './use-statement-filter.ts'
import styles from './statement.module.css'

const KINDS = [
	{ value: '', label: 'All' },
	...StatementKind.options.map((kind) => ({ value: kind, label: kindNames[kind] })),
]

/** Renders the filters by kind and day, and the download of the matching lines. */
export function StatementFilters({ userId }: { userId: string }) {
	const { filter, change } = useStatementFilter()
	return (
		<div className="toolbar">
			<FilterChips
				label="Kind of transaction"
				value={filter.kind ?? ''}
				options={KINDS}
				onChange={(kind) => change({ kind })}
			/>
			<Group gap={8}>
				<DayFilter label="From" value={filter.from ?? ''} max={filter.to} onChange={(from) => change({ from })} />
				<Group className={styles.until} gap={8} wrap="nowrap">
					<Box component="span" c="dimmed">
						to
					</Box>
					<DayFilter label="To" value={filter.to ?? ''} min={filter.from} onChange={(to) => change({ to })} />
				</Group>
				<DownloadButton
					read={() => call(statements.export, { params: { userId }, query: filter })}
					failed={(error) => toast.failure(error, 'Failed to export the statement')}
				>
					Export CSV
				</DownloadButton>
			</Group>
			<p className={`quiet ${styles.understood}`} role="status">
				{spell(filter)}
			</p>
		</div>
	)
}

interface DayFilterProps {
	label: string
	value: string
	min?: string | undefined
	max?: string | undefined
	onChange: (day: string) => void
}

/** Edits a day. Applies it only within `min` and `max`: the first digits of a year already parse as a year. */
function DayFilter({ label, value, min = '2000-01-01', max = '2999-12-31', onChange }: DayFilterProps) {
	const [typed, setTyped] = useState(value)
	const [shown, setShown] = useState(value)
	const [problem, setProblem] = useState('')
	// The filter was reset, or the user went back in history.
	if (shown !== value) {
		setShown(value)
		setTyped(value)
	}
	return (
		<TextInput
			className={styles.day}
			type="date"
			aria-label={label}
			min={min}
			max={max}
			value={typed}
			error={problem}
			onChange={({ currentTarget }) => {
				setTyped(currentTarget.value)
				setProblem('')
				if (currentTarget.validity.valid) onChange(currentTarget.value)
			}}
			onBlur={({ currentTarget }) => setProblem(currentTarget.validationMessage)}
		/>
	)
}

/** Returns the chosen range of days in words. */
function spell({ from, to }: { from?: string | undefined; to?: string | undefined }): string {
	if (from && to) return `From ${spellDay(from)} to ${spellDay(to)}`
	if (from) return `From ${spellDay(from)}`
	return to ? `Until ${spellDay(to)}` : ''
}
