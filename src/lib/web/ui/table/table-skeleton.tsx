import { Skeleton } from '@mantine/core'
import type { Column } from './column.ts'
import { DataRows } from './data-rows.tsx'

interface TableSkeletonProps<Row> {
	label: string
	columns: readonly Column<Row>[]
	/** Until then only the room is kept. */
	visible: boolean
}

const renderBar = () => <Skeleton height={12} my={4} width={70} />

const rows = Array.from({ length: 10 }, (_, row) => String(row))

/** Ten rows to come, as high as the real ones, so that nothing jumps. */
export function TableSkeleton<Row>({ label, columns, visible }: TableSkeletonProps<Row>) {
	const empty = columns.map((column) => ({ ...column, cell: renderBar }))
	return (
		<div role="status" aria-label={`Loading ${label}`} style={{ visibility: visible ? undefined : 'hidden' }}>
			<div aria-hidden>
				<DataRows label={label} rows={rows} rowKey={(row) => row} columns={empty} />
			</div>
		</div>
	)
}
