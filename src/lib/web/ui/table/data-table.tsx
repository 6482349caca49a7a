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

/** The part of a TanStack query that the table shows. */
interface TableQuery {
	isPending: boolean
	isPlaceholderData: boolean
	error: unknown
	isFetching: boolean
	refetch: () => unknown
}

export interface DataTableProps<Row> {
	/** For screen readers: "Users". */
	label: string
	query: TableQuery
	rows: readonly Row[] | undefined
	rowKey: (row: Row) => string
	columns: readonly Column<Row>[]
	empty: ReactNode
	/** The specification's words for a failed reading; the server's own are preferred. Also shown as a toast. */
	failed: string
	/** How long that toast stays: `briefToast` on the screens of campaigns and contacts. */
	toasts?: Toasts
	/** Usually a Pager. */
	footer?: ReactNode
	/** What an expanded row shows under itself; null for a row that is not expanded. */
	expanded?: (row: Row) => ReactNode
	/** The key of a row that has just changed: it is lit up for a moment. */
	highlight?: string | null
	sort?: TableSort
}

/** Rows of a list that the server pages: skeleton first, old rows dimmed while the next page loads, cards where it is narrow. */
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
	/** Until then only the room is kept. */
	visible: boolean
}

const renderBar = () => <Skeleton height={12} my={4} width={70} />

const EMPTY_ROWS = Array.from({ length: 10 }, (_, row) => String(row))

/** Ten rows to come, as high as the real ones, so that nothing jumps. */
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
	/** "Contacts" */
	label: string
	isPending: boolean
	rows: readonly unknown[] | undefined
}

/** Says to screen readers that rows are loading, and how many came: only when that changes. */
function TableStatus({ label, isPending, rows }: TableStatusProps) {
	const isSlow = useDelayed(isPending)
	const found = rows ? `${label}: ${rows.length === 0 ? 'no rows' : plural(rows.length, 'row')}` : ''
	return (
		<p className="visually-hidden" role="status">
			{isSlow ? `Loading ${label}` : found}
		</p>
	)
}
