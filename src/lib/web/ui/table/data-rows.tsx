import { Fragment, type CSSProperties } from 'react'
import { minWidthOf, type Column } from './column.ts'
import type { DataTableProps } from './data-table.tsx'
import { HeaderCell } from './header-cell.tsx'
import styles from './data-table.module.css'

type DataRowsProps<Row> = Pick<
	DataTableProps<Row>,
	'label' | 'rowKey' | 'columns' | 'expanded' | 'highlight' | 'sort'
> & {
	rows: readonly Row[]
}

/** Width in pixels that the style sheet compares with the table's width. */
const BASE_WIDTH = 320

/**
 * Renders a table whose rows the style sheet turns into cards when the columns do not fit. Sets ARIA roles, since
 * browsers drop them from a table with another CSS display.
 */
export function DataRows<Row>({ label, rows, rowKey, columns, expanded, highlight, sort }: DataRowsProps<Row>) {
	return (
		<div className={styles.frame}>
			<div className={styles.room} style={timesBase(columns)}>
				<section className={styles.rows} aria-label={label}>
					<table className={styles.table} role="table" aria-label={label}>
						<thead role="rowgroup">
							<tr role="row">
								{columns.map((column, at) => (
									<HeaderCell key={at} column={column} sort={sort} />
								))}
							</tr>
						</thead>
						<tbody role="rowgroup">
							{rows.map((row, index) => {
								const key = rowKey(row)
								const below = expanded?.(row)
								return (
									<Fragment key={key}>
										<tr role="row" className={styles.row} data-row data-highlight={highlight === key}>
											{columns.map((column, at) => (
												<Cell key={at} column={column} row={row} index={index} />
											))}
										</tr>
										{below && (
											<tr role="row" className={styles.below}>
												<td role="cell" colSpan={columns.length}>
													{below}
												</td>
											</tr>
										)}
									</Fragment>
								)
							})}
						</tbody>
					</table>
				</section>
			</div>
		</div>
	)
}

function timesBase<Row>(columns: readonly Column<Row>[]): CSSProperties {
	const needed = columns.reduce((sum, column) => sum + minWidthOf(column), 0)
	return { '--times-base': Math.max(1, needed / BASE_WIDTH) } as CSSProperties
}

/** Content of an empty cell; a card omits its line. */
const NONE = '-'

interface CellProps<Row> {
	column: Column<Row>
	row: Row
	index: number
}

function Cell<Row>({ column: { header, cell, align, isProse, narrow = 'pair' }, row, index }: CellProps<Row>) {
	const content = cell(row, index)
	return (
		<td
			role="cell"
			data-align={align}
			data-narrow={narrow}
			data-prose={isProse}
			data-label={header}
			data-none={content === NONE || undefined}
		>
			{content}
		</td>
	)
}
