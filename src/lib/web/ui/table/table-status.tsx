import { plural } from '#lib/numbers.ts'
import { useDelayed } from '../feedback/use-delayed.ts'

interface TableStatusProps {
	/** "Contacts" */
	label: string
	isPending: boolean
	rows: readonly unknown[] | undefined
}

/** Says to screen readers that rows are loading, and how many came: only when that changes. */
export function TableStatus({ label, isPending, rows }: TableStatusProps) {
	const isSlow = useDelayed(isPending)
	const found = rows ? `${label}: ${rows.length === 0 ? 'no rows' : plural(rows.length, 'row')}` : ''
	return (
		<p className="visually-hidden" role="status">
			{isSlow ? `Loading ${label}` : found}
		</p>
	)
}
