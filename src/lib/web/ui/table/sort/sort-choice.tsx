import { NativeSelect } from '@mantine/core'
import { IconArrowsSort } from '@tabler/icons-react'
import type { Column, ColumnSort } from '../column.ts'
import type { Order } from './use-sort.tsx'
import styles from './sort.module.css'

const WORDS: Record<ColumnSort['kind'], Record<Order, string>> = {
	text: { asc: 'A to Z', desc: 'Z to A' },
	number: { asc: 'lowest first', desc: 'highest first' },
	date: { asc: 'oldest first', desc: 'newest first' },
}

interface SortChoiceProps {
	columns: readonly Column<never>[]
	/** The order of a list that was not sorted. Offered as "Newest first" when no column has it. */
	initial: { sort: string; order: Order }
	sort: string
	order: Order
	onChange: (sort: string, order: Order) => void
}

/** Both directions of each column that the list can be ordered by. */
export function SortChoice({ columns, initial, sort, order, onChange }: SortChoiceProps) {
	const options = columns.flatMap(({ header, sort: by }) =>
		by
			? (['asc', 'desc'] as const).map((way) => ({
					value: `${by.key} ${way}`,
					label: `${header}, ${WORDS[by.kind][way]}`,
				}))
			: [],
	)
	if (!columns.some(({ sort: by }) => by?.key === initial.sort))
		options.unshift({ value: `${initial.sort} ${initial.order}`, label: 'Newest first' })
	return (
		<div className={styles.choice}>
			<NativeSelect
				className={styles.select}
				leftSection={<IconArrowsSort size={16} aria-hidden />}
				aria-label="Sort by"
				data={options}
				value={`${sort} ${order}`}
				onChange={({ currentTarget: { value } }) => {
					const [key = '', way] = value.split(' ')
					onChange(key, way === 'desc' ? 'desc' : 'asc')
				}}
			/>
		</div>
	)
}
