import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { minWidthOf, type Column } from './column.ts'
import type { TableSort } from './use-sort.ts'
import styles from './header-cell.module.css'

interface HeaderCellProps<Row> {
	column: Column<Row>
	sort: TableSort | undefined
}

/** Renders a header with the sort order in `aria-sort` and in its button's arrow. */
export function HeaderCell<Row>({ column, sort }: HeaderCellProps<Row>) {
	const { header, align, width, isProse, narrow = 'pair' } = column
	const state = sort && column.sort && sort.stateOf(column.sort)
	const Arrow = state === 'ascending' ? IconArrowUp : state === 'descending' ? IconArrowDown : IconSelector
	return (
		<th
			role="columnheader"
			scope="col"
			data-align={align}
			data-narrow={narrow}
			data-prose={isProse}
			aria-sort={state}
			style={{ width, minWidth: minWidthOf(column) }}
		>
			{sort && column.sort ? (
				<button type="button" className={styles.button} onClick={() => column.sort && sort.change(column.sort)}>
					{header}
					<Arrow className={styles.arrow} size={14} aria-hidden />
				</button>
			) : (
				header || <span className="visually-hidden">Actions</span>
			)}
		</th>
	)
}
