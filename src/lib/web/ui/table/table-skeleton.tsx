import { Skeleton } from '@mantine/core'
import styles from './data-table.module.css'
import own from './table-skeleton.module.css'

interface TableSkeletonProps {
	label: string
	headers: string[]
	cards: boolean
	/** Until then only the room is kept. */
	visible: boolean
}

const rows = Array.from({ length: 10 }, (_, row) => row)

/** Ten rows to come, as high as the real ones, so that nothing jumps. */
export function TableSkeleton({ label, headers, cards, visible }: TableSkeletonProps) {
	return (
		<div className={own.frame} data-visible={visible} role="status" aria-label={`Loading ${label}`}>
			{cards ? (
				rows.map((row) => (
					<div key={row} className={own.card}>
						<Skeleton height={14} width="50%" />
						<Skeleton height={12} width="70%" />
					</div>
				))
			) : (
				<table className={styles.table} aria-hidden>
					<thead>
						<tr>
							{headers.map((header) => (
								<th key={header}>{header}</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map((row) => (
							<tr key={row}>
								{headers.map((header, column) => (
									<td key={header}>
										<Skeleton height={12} width={column === 0 ? '40%' : '70%'} />
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			)}
		</div>
	)
}
