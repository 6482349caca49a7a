import { plural } from '#lib/numbers.ts'

interface TableStatusProps {
	/** "Contacts" */
	label: string
	isLoading: boolean
	/** Undefined until known. */
	count: number | undefined
}

/** Says to screen readers that rows are loading, and how many came: only when that changes. */
export function TableStatus({ label, isLoading, count }: TableStatusProps) {
	const found = count === undefined ? '' : `${label}: ${count === 0 ? 'no rows' : plural(count, 'row')}`
	return (
		<p className="visually-hidden" role="status">
			{isLoading ? `Loading ${label}` : found}
		</p>
	)
}
