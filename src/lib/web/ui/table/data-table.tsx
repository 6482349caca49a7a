import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { plural } from '#lib/numbers.ts'
import { isMissing, messageOf } from '#lib/web/api.ts'
import type { Toasts } from '#lib/web/toast.tsx'
import { LoadError } from '../feedback/load-error.tsx'
import { useDelayed } from '../feedback/use-delayed.ts'
import { useErrorToast } from '../feedback/use-error-toast.ts'
import type { Column } from './column.ts'
import { DataRows } from './data-rows.tsx'
import type { TableSort } from './use-sort.ts'

export type { Column }

/** The fields of a TanStack query that the table reads. */
interface TableQuery {
	isPending: boolean
	isPlaceholderData: boolean
	error: unknown
	isFetching: boolean
	refetch: () => unknown
}

export interface DataTableProps<Row> {
	/** Name for screen readers, such as "Users". */
	label: string
	query: TableQuery
	rows: readonly Row[] | undefined
	rowKey: (row: Row) => string
	columns: readonly Column<Row>[]
	empty: ReactNode
	/** Error text of the specification, for table and toast. A message of the server takes precedence. */
	failed: string
	/** Toasts with their duration; `toast` by default. */
	toasts?: Toasts
	/** Usually a Pager. */
	footer?: ReactNode
	/** Renders the details under an expanded row; null for a collapsed row. */
	expanded?: (row: Row) => ReactNode
	/** Key of a row that has just changed, which is highlighted briefly. */
	highlight?: string | null
	sort?: TableSort
}

/**
 * Renders the rows of a list that the server pages: a skeleton first, the old rows dimmed while the next page loads,
 * cards on narrow screens.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
	const { query, rows, footer } = props
	useErrorToast(isMissing(query.error) ? null : query.error, props.failed, props.toasts)
	return (
		<div aria-busy={query.isPlaceholderData}>
			<TableStatus label={props.label} isPending={query.isPending} rows={rows} />
			<Body {...props} />
			{rows && footer}
		</div>
	)
}

function Body<Row>(props: DataTableProps<Row>) {
	const { query, rows, failed, columns, label } = props
	const showSkeleton = useDelayed(query.isPending)
	if (query.error && !rows) return <LoadError message={messageOf(query.error, failed)} reading={query} />
	if (!rows) return <TableSkeleton label={label} columns={columns} visible={showSkeleton} />
	return rows.length === 0 ? props.empty : <DataRows {...props} rows={rows} />
}

interface TableSkeletonProps<Row> {
	label: string
	columns: readonly Column<Row>[]
	/** False reserves the space without showing the skeleton. */
	visible: boolean
}

const renderBar = () => <Skeleton height={12} my={4} width={70} />

const EMPTY_ROWS = Array.from({ length: 10 }, (_, row) => String(row))

/** Renders ten placeholder rows of the real height, so that the layout does not jump. */
function TableSkeleton<Row>({ label, columns, visible }: TableSkeletonProps<Row>) {
	const empty = columns.map((column) => ({ ...column, cell: renderBar }))
	return (
		<div role="status" aria-label={`Loading ${label}`} style={{ visibility: visible ? undefined : 'hidden' }}>
			<div aria-hidden>
				<DataRows label={label} rows={EMPTY_ROWS} rowKey={(row) => row} columns={empty} />
			</div>
		</div>
	)
}

interface TableStatusProps {
	/** Name such as "Contacts". */
	label: string
	isPending: boolean
	rows: readonly unknown[] | undefined
}

/** Announces to screen readers that rows are loading and how many have loaded, once per change. */
function TableStatus({ label, isPending, rows }: TableStatusProps) {
	const isSlow = useDelayed(isPending)
	const found = rows ? `${label}: ${rows.length === 0 ? 'no rows' : plural(rows.length, 'row')}` : ''
	return (
		<p className="visually-hidden" role="status">
			{isSlow ? `Loading ${label}` : found}
		</p>
	)
}
