import { Box, Group } from '@mantine/core'
import { StatementKind, statements } from '#features/statements/contract.ts'
import { kindNames } from '#features/statements/rules.ts'
import { spellDay } from '#lib/typed-dates.ts'
import { call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { DateField } from '#lib/web/ui/form/date-time-field.tsx'
import { FilterChips } from '#lib/web/ui/table/filter-chips.tsx'
import { useStatementFilter } from './use-statement-filter.ts'
import styles from './statement.module.css'

const KINDS = [
	{ value: '', label: 'All' },
	...StatementKind.options.map((kind) => ({ value: kind, label: kindNames[kind] })),
]

/** Filters by kind and day, and the download of the lines that match them. */
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
				<DateField
					className={styles.day}
					aria-label="From"
					pickerLabel="Open the calendar for the first day"
					value={filter.from ?? ''}
					max={filter.to}
					onChange={(from) => change({ from })}
				/>
				<Group className={styles.until} gap={8} wrap="nowrap">
					<Box component="span" c="dimmed">
						to
					</Box>
					<DateField
						className={styles.day}
						aria-label="To"
						pickerLabel="Open the calendar for the last day"
						value={filter.to ?? ''}
						min={filter.from}
						onChange={(to) => change({ to })}
					/>
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

/** How the two days were understood. */
function spell({ from, to }: { from?: string | undefined; to?: string | undefined }): string {
	if (from && to) return `From ${spellDay(from)} to ${spellDay(to)}`
	if (from) return `From ${spellDay(from)}`
	return to ? `Until ${spellDay(to)}` : ''
}
