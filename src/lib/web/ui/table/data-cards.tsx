import type { Column, DataTableProps } from './data-table.tsx'
import styles from './data-cards.module.css'

interface DataCardsProps<Row> extends DataTableProps<Row> {
	rows: readonly Row[]
}

/** The narrow form of a DataTable: each row a card. */
export function DataCards<Row>({ label, query, rows, rowKey, columns, expanded, highlight }: DataCardsProps<Row>) {
	const at = (place: Column<Row>['narrow']) => columns.filter(({ narrow = 'pair' }) => narrow === place)
	return (
		<ul className={styles.list} aria-label={label} data-old={query.isPlaceholderData}>
			{rows.map((row, index) => {
				const show = (place: Column<Row>['narrow']) =>
					at(place).map((column) => <div key={column.header}>{column.cell(row, index)}</div>)
				const pairs = at('pair')
				return (
					<li key={rowKey(row)} className={styles.card} data-row data-highlight={highlight === rowKey(row)}>
						<div className={styles.top}>
							<div className={styles.main}>
								<div className={styles.title}>{show('title')}</div>
								<div className={styles.under}>{show('under')}</div>
							</div>
							<div className={styles.corner}>{show('corner')}</div>
							{show('menu')}
						</div>
						{pairs.length > 0 && (
							<dl className={styles.pairs}>
								{pairs.map((column) => (
									<div key={column.header} data-prose={column.isProse}>
										<dt>{column.header}</dt>
										<dd>{column.cell(row, index)}</dd>
									</div>
								))}
							</dl>
						)}
						{at('actions').length > 0 && <div className={styles.actions}>{show('actions')}</div>}
						{expanded?.(row)}
					</li>
				)
			})}
		</ul>
	)
}
