import type { ReactNode } from 'react'
import { isMissing, messageOf } from '#lib/web/api.ts'
import type { Toasts } from '#lib/web/toast.tsx'
import { LoadError } from '../feedback/load-error.tsx'
import { useDelayed } from '../feedback/use-delayed.ts'
import { useErrorToast } from '../feedback/use-error-toast.ts'
import type { Column } from './column.ts'
import { DataRows } from './data-rows.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { TableStatus } from './table-status.tsx'
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
