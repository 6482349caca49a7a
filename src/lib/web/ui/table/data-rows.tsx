import { Fragment } from 'react'
import { minWidthOf, type Column } from './column.ts'
import type { DataTableProps, TableSort } from './data-table.tsx'
import { useActionsAsMenu } from './row/actions-as-menu.ts'
import styles from './data-table.module.css'

interface DataRowsProps<Row> extends DataTableProps<Row> {
	rows: readonly Row[]
}

/** The wide form of a DataTable. */
export function DataRows<Row>({ label, query, rows, rowKey, columns, expanded, highlight, sort }: DataRowsProps<Row>) {
	return (
		<section className={styles.rows} aria-label={label} data-old={query.isPlaceholderData}>
			<table className={styles.table} aria-label={label}>
				<thead>
					<tr>
						{columns.map((column) => (
							<HeaderCell key={column.header} column={column} sort={sort} />
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, index) => {
						const key = rowKey(row)
						const below = expanded?.(row)
						return (
							<Fragment key={key}>
								<tr data-row data-highlight={highlight === key}>
									{columns.map((column) => (
										<td key={column.header} data-align={column.align}>
											{column.cell(row, index)}
										</td>
									))}
								</tr>
								{below && (
									<tr className={styles.below}>
										<td colSpan={columns.length}>{below}</td>
									</tr>
								)}
							</Fragment>
						)
					})}
				</tbody>
			</table>
		</section>
	)
}

function HeaderCell<Row>({ column, sort }: { column: Column<Row>; sort: TableSort | undefined }) {
	const asMenu = useActionsAsMenu()
	const { header, align, width, minWidthAsMenu } = column
	const minWidth = minWidthOf(column, asMenu)
	return (
		<th
			scope="col"
			data-align={align}
			aria-sort={sort?.stateOf(column)}
			style={{ width: asMenu && minWidthAsMenu ? minWidthAsMenu : width, minWidth }}
		>
			{sort && column.sort ? sort.renderHeader(column) : header || <span className="visually-hidden">Actions</span>}
		</th>
	)
}
