import type { ReactNode } from 'react'
import { isMissing, messageOf } from '#lib/web/api.ts'
import type { Toasts } from '#lib/web/toast.tsx'
import { LoadError } from '../feedback/load-error.tsx'
import { useDelayed } from '../feedback/use-delayed.ts'
import { useErrorToast } from '../feedback/use-error-toast.ts'
import type { Column } from './column.ts'
import { DataCards } from './data-cards.tsx'
import { DataRows } from './data-rows.tsx'
import { ActionsAsMenu } from './row/actions-as-menu.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { TableStatus } from './table-status.tsx'
import { useTableForm } from './use-table-form.ts'
import styles from './data-table.module.css'

export type { Column }

/** The part of a TanStack query that the table shows. */
interface TableQuery {
	isPending: boolean
	isPlaceholderData: boolean
	error: unknown
	isFetching: boolean
	refetch: () => unknown
}

/** How a list is ordered, and what changes that; made by `useSort()`. */
export interface TableSort {
	/** For `aria-sort`; none for columns that the list is not ordered by. */
	stateOf: (column: Column<never>) => 'ascending' | 'descending' | undefined
	/** The header of a column that the list can be ordered by. */
	renderHeader: (column: Column<never>) => ReactNode
	/** The same choice over cards, which have no headers. */
	renderChoice: (columns: readonly Column<never>[]) => ReactNode
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
	const { frame, form, asMenu } = useTableForm(props.columns, rows)
	useErrorToast(isMissing(query.error) ? null : query.error, props.failed, props.toasts)
	return (
		<div ref={frame} className={styles.frame} aria-busy={query.isPlaceholderData}>
			<TableStatus label={props.label} isPending={query.isPending} rows={rows} />
			<ActionsAsMenu value={asMenu}>
				<Body {...props} areCards={form === 'cards'} />
			</ActionsAsMenu>
			{rows && footer}
		</div>
	)
}

function Body<Row>(props: DataTableProps<Row> & { areCards: boolean }) {
	const { query, rows, failed, columns, areCards, sort } = props
	const showSkeleton = useDelayed(query.isPending)
	if (query.error && !rows) return <LoadError message={messageOf(query.error, failed)} reading={query} />
	if (!rows)
		return (
			<TableSkeleton
				label={props.label}
				headers={columns.map(({ header }) => header)}
				cards={areCards}
				visible={showSkeleton}
			/>
		)
	if (rows.length === 0) return props.empty
	if (!areCards) return <DataRows {...props} rows={rows} />
	return (
		<>
			{sort?.renderChoice(columns)}
			<DataCards {...props} rows={rows} />
		</>
	)
}
