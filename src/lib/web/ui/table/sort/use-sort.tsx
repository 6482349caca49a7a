import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import type { Column, ColumnSort } from '../column.ts'
import type { TableSort } from '../data-table.tsx'
import { SortChoice } from './sort-choice.tsx'
import styles from './sort.module.css'

export type Order = 'asc' | 'desc'

export interface Sorting<Key extends string> {
	sort: Key
	order: Order
}

interface SortState<Key extends string> extends Sorting<Key> {
	/** For a DataTable. `given` is what the server has ordered by, where that may be something else. */
	tableSort: (given?: Sorting<Key> | false) => TableSort
}

/**
 * How a list is ordered, kept in the address as `?sort=name&order=desc`; `initial` leaves no trace there. A change goes
 * back to the first page.
 */
export function useSort<Key extends string>(keys: readonly Key[], initial: Sorting<Key>): SortState<Key> {
	const [search, setSearch] = useSearchParams()
	const key = keys.find((known) => known === search.get('sort'))
	const asked: Sorting<Key> = key ? { sort: key, order: search.get('order') === 'desc' ? 'desc' : 'asc' } : initial
	const change = (sort: string, order: Order) =>
		setSearch(
			(old) => {
				const params = new URLSearchParams(old)
				for (const name of ['sort', 'order', 'page']) params.delete(name)
				if (sort !== initial.sort || order !== initial.order) {
					params.set('sort', sort)
					if (order === 'desc') params.set('order', order)
				}
				return params
			},
			// A choice that shows the order must not wait for a transition: it would jump back meanwhile.
			{ flushSync: true },
		)
	const tableSort = (given?: Sorting<Key> | false): TableSort => {
		const shown = given || asked
		const stateOf = ({ sort }: Column<never>) => (sort?.key === shown.sort ? STATES[shown.order] : undefined)
		const next = ({ sort }: Column<never>) => {
			const order = sort && nextOrder(sort, shown)
			if (sort && order) change(sort.key, order)
			else change(initial.sort, initial.order)
		}
		return {
			stateOf,
			renderHeader: (column) => <SortHeader text={column.header} state={stateOf(column)} onSort={() => next(column)} />,
			renderChoice: (columns) => <SortChoice columns={columns} initial={initial} {...shown} onChange={change} />,
		}
	}
	return { ...asked, tableSort }
}

const STATES = { asc: 'ascending', desc: 'descending' } as const

/** Names begin with A, and of dates and counts the newest and most are looked for first. Null after both directions. */
function nextOrder({ key, kind }: ColumnSort, { sort, order }: Sorting<string>): Order | null {
	const first = kind === 'text' ? 'asc' : 'desc'
	if (key !== sort) return first
	return order === first ? (first === 'asc' ? 'desc' : 'asc') : null
}

interface SortHeaderProps {
	text: string
	state: 'ascending' | 'descending' | undefined
	onSort: () => void
}

/** The header's cell says by `aria-sort` how the list is ordered; the arrow shows it. */
function SortHeader({ text, state, onSort }: SortHeaderProps) {
	const Arrow = state === 'ascending' ? IconArrowUp : state === 'descending' ? IconArrowDown : IconSelector
	return (
		<button type="button" className={styles.header} onClick={onSort}>
			{text}
			<Arrow className={styles.arrow} size={14} aria-hidden />
		</button>
	)
}
