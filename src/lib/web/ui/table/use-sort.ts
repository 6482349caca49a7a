import { useSearchParams } from '#lib/web/router/hooks.ts'
import type { ColumnSort } from './column.ts'

export interface Sorting<Key extends string> {
	sort: Key
	order: 'asc' | 'desc'
}

/** The order of a list, and the effect of a header's button. */
export interface TableSort {
	/** Value of `aria-sort`; undefined for other columns. */
	stateOf: (column: ColumnSort) => 'ascending' | 'descending' | undefined
	/** Cycles through one direction, the other, and the initial order. */
	change: (column: ColumnSort) => void
}

interface SortState<Key extends string> extends Sorting<Key> {
	/** Props of a DataTable. `given` is the server's actual order, when it may differ. */
	tableSort: (given?: Sorting<Key> | false) => TableSort
}

/**
 * Returns the order of a list, stored in the URL as `?sort=name&order=desc`; `initial` is omitted. A change returns to
 * page 1.
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

/**
 * Returns the next order of a column: names start ascending, dates and counts descending; null after both directions.
 */
function nextOf({ key, kind }: ColumnSort, shown: Sorting<string>): Sorting<string> | null {
	const first = kind === 'text' ? 'asc' : 'desc'
	if (key !== shown.sort) return { sort: key, order: first }
	return shown.order === first ? { sort: key, order: first === 'asc' ? 'desc' : 'asc' } : null
}
