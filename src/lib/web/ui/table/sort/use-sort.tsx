import { useSearchParams } from 'react-router'
import type { Column, ColumnSort } from '../column.ts'
import type { TableSort } from '../data-table.tsx'
import { SortChoice } from './sort-choice.tsx'
import { SortHeader } from './sort-header.tsx'

export type Order = 'asc' | 'desc'

interface Sorting<Key extends string> {
	sort: Key
	order: Order
}

interface SortState<Key extends string> extends Sorting<Key> {
	/** For a DataTable. */
	tableSort: TableSort
}

/**
 * How a list is ordered, kept in the address as `?sort=name&order=desc`; `standard` leaves no trace there. A change goes
 * back to the first page. `given` is what the server has ordered by, where that may be something else.
 */
export function useSort<Key extends string>(
	keys: readonly Key[],
	standard: Sorting<Key>,
	given?: Sorting<Key>,
): SortState<Key> {
	const [search, setSearch] = useSearchParams()
	const key = keys.find((known) => known === search.get('sort'))
	const asked: Sorting<Key> = key ? { sort: key, order: search.get('order') === 'desc' ? 'desc' : 'asc' } : standard
	const shown = given ?? asked
	const change = (sort: string, order: Order) =>
		setSearch(
			(old) => {
				const params = new URLSearchParams(old)
				for (const name of ['sort', 'order', 'page']) params.delete(name)
				if (sort !== standard.sort || order !== standard.order) {
					params.set('sort', sort)
					if (order === 'desc') params.set('order', order)
				}
				return params
			},
			// A choice that shows the order must not wait for a transition: it would jump back meanwhile.
			{ flushSync: true },
		)
	const stateOf = ({ sort }: Column<never>) =>
		sort?.key === shown.sort ? (shown.order === 'asc' ? 'ascending' : 'descending') : undefined
	return {
		...asked,
		tableSort: {
			stateOf,
			renderHeader: (column) => (
				<SortHeader
					text={column.header}
					state={stateOf(column)}
					onSort={() => column.sort && change(column.sort.key, nextOrder(column.sort, shown))}
				/>
			),
			renderChoice: (columns) => <SortChoice columns={columns} {...shown} onChange={change} />,
		},
	}
}

/** Names begin with A, and of dates and counts the newest and most are looked for first. */
function nextOrder({ key, kind }: ColumnSort, { sort, order }: Sorting<string>): Order {
	if (key === sort) return order === 'asc' ? 'desc' : 'asc'
	return kind === 'text' ? 'asc' : 'desc'
}
