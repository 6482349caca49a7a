import type { ReactNode } from 'react'

/** What a list can be ordered by. */
export interface ColumnSort {
	/** As the server and the address call it. */
	key: string
	/** Decides which of the two directions comes first. */
	kind: 'text' | 'number' | 'date'
}

export interface Column<Row> {
	/** May be empty for the actions. */
	header: string
	cell: (row: Row, index: number) => ReactNode
	align?: 'left' | 'right'
	/** Text of any length: a card gives it more room than a value, and a line of its own where it needs one. */
	isProse?: boolean
	/** CSS width; the others share what is left. */
	width?: string
	/** In pixels, padding included. When a table has less room than the sum of these, its rows become cards. */
	minWidth?: number
	sort?: ColumnSort
	/**
	 * Its place when rows become cards: `title` and `under` on the left, `corner` at the top right, `menu` further to the
	 * right, `beside` under the corner, `actions` at the bottom right, `pair` (the default) a line with its header, `hidden`
	 * nowhere.
	 */
	narrow?: 'title' | 'under' | 'corner' | 'menu' | 'beside' | 'pair' | 'actions' | 'hidden'
}

/** Leaves 160 pixels for a name. */
const NAME_WIDTH = 184
/** Leaves 90 pixels for text, in which nearly every word fits. */
const TEXT_WIDTH = 114

export function minWidthOf<Row>({ minWidth, narrow }: Column<Row>): number {
	return minWidth ?? (narrow === 'title' ? NAME_WIDTH : TEXT_WIDTH)
}
