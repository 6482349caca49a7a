import { Fragment } from 'react'
import type { Column, DataTableProps } from './data-table.tsx'
import styles from './data-table.module.css'

interface DataRowsProps<Row> extends DataTableProps<Row> {
	rows: readonly Row[]
}

/** The wide form of a DataTable. */
export function DataRows<Row>({ label, query, rows, rowKey, columns, expanded, highlight }: DataRowsProps<Row>) {
	return (
		<section className={styles.scroll} tabIndex={0} aria-label={label} data-old={query.isPlaceholderData}>
			<table className={styles.table} aria-label={label}>
				<thead>
					<tr>
						{columns.map((column) => (
							<HeaderCell key={column.header} column={column} />
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

function HeaderCell<Row>({ column: { header, align, width } }: { column: Column<Row> }) {
	return (
		<th scope="col" data-align={align} style={{ width }}>
			{header || <span className="visually-hidden">Actions</span>}
		</th>
	)
}
