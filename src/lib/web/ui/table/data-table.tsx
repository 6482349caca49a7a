import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { messageOf } from '#lib/web/api.ts'
import type { Toasts } from '#lib/web/toast.tsx'
import { LoadError } from '../feedback/load-error.tsx'
import { useDelayed } from '../feedback/use-delayed.ts'
import { useErrorToast } from '../feedback/use-error-toast.ts'
import { DataCards } from './data-cards.tsx'
import { DataRows } from './data-rows.tsx'
import { TableSkeleton } from './table-skeleton.tsx'
import { TableStatus } from './table-status.tsx'
import styles from './data-table.module.css'

export interface Column<Row> {
	/** May be empty for the actions. */
	header: string
	cell: (row: Row, index: number) => ReactNode
	align?: 'left' | 'right'
	/** CSS width; the others share what is left. */
	width?: string
	/**
	 * Where it goes on a phone, where a row becomes a card: `title` and `under` on the left, `corner` at the top right,
	 * `actions` at the bottom right, `pair` a line with its header (standard), `hidden` nowhere.
	 */
	narrow?: 'title' | 'under' | 'corner' | 'pair' | 'actions' | 'hidden'
}

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
}

/** Rows of a list that the server pages: skeleton first, old rows dimmed while the next page loads, cards on a phone. */
export function DataTable<Row>(props: DataTableProps<Row>) {
	const { label, query, rows } = props
	return (
		<>
			<TableStatus label={label} isPending={query.isPending} rows={rows} />
			<TableBody {...props} />
		</>
	)
}

function TableBody<Row>(props: DataTableProps<Row>) {
	const { query, rows, empty, failed, footer } = props
	const isPhone = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
	const showSkeleton = useDelayed(query.isPending)
	useErrorToast(query.error, failed, props.toasts)

	if (query.error && !rows)
		return (
			<LoadError message={messageOf(query.error, failed)} onRetry={() => query.refetch()} busy={query.isFetching} />
		)
	if (!rows)
		return (
			<TableSkeleton
				label={props.label}
				headers={props.columns.map(({ header }) => header)}
				cards={isPhone}
				visible={showSkeleton}
			/>
		)
	const Body = isPhone ? DataCards : DataRows
	return (
		<div className={styles.frame} aria-busy={query.isPlaceholderData}>
			{rows.length === 0 ? empty : <Body {...props} rows={rows} />}
			{footer}
		</div>
	)
}
