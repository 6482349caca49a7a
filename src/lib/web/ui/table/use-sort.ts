import { useSearchParams } from 'react-router'
import type { ColumnSort } from './column.ts'

export interface Sorting<Key extends string> {
	sort: Key
	order: 'asc' | 'desc'
}

/** How a list is ordered, and what a header's button does. */
export interface TableSort {
	/** For `aria-sort`; none for columns that the list is not ordered by. */
	stateOf: (column: ColumnSort) => 'ascending' | 'descending' | undefined
	/** One direction, the other one, and back to how the list was at first. */
	change: (column: ColumnSort) => void
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
	const set = ({ sort, order }: Sorting<string>) =>
		setSearch((old) => {
			const params = new URLSearchParams(old)
			for (const name of ['sort', 'order', 'page']) params.delete(name)
			if (sort !== initial.sort || order !== initial.order) {
				params.set('sort', sort)
				if (order === 'desc') params.set('order', order)
			}
			return params
		})
	const tableSort = (given?: Sorting<Key> | false): TableSort => {
		const shown = given || asked
		return {
			stateOf: (column) => (column.key === shown.sort ? STATES[shown.order] : undefined),
			change: (column) => set(nextOf(column, shown) ?? initial),
		}
	}
	return { ...asked, tableSort }
}

const STATES = { asc: 'ascending', desc: 'descending' } as const

/** Names begin with A, and of dates and counts the newest and most are looked for first. Null after both directions. */
function nextOf({ key, kind }: ColumnSort, shown: Sorting<string>): Sorting<string> | null {
	const first = kind === 'text' ? 'asc' : 'desc'
	if (key !== shown.sort) return { sort: key, order: first }
	return shown.order === first ? { sort: key, order: first === 'asc' ? 'desc' : 'asc' } : null
}
