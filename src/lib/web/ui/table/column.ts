import type { ReactNode } from 'react'

/** A sort order that a column offers. */
export interface ColumnSort {
	/** Key on the server and in the URL. */
	key: string
	/** Type of the values, which decides the first direction. */
	kind: 'text' | 'number' | 'date'
}

export interface Column<Row> {
	/** Header; may be empty for actions. */
	header: string
	cell: (row: Row, index: number) => ReactNode
	align?: 'left' | 'right'
	/** True for text of any length, which a card gives more width and, if needed, its own line. */
	isProse?: boolean
	/** CSS width; columns without one share the rest. */
	width?: string
	/** Width in pixels, including padding. When the table is narrower than the sum of these, its rows become cards. */
	minWidth?: number
	sort?: ColumnSort
	/**
	 * Position in a card: `title` and `under` on the left, `corner` at the top right, `menu` to its right, `beside` below
	 * the corner, `actions` at the bottom right, `pair` (the default) on a line with its header, `hidden` not shown.
	 * `summary` is shown only in the card of a phone, on the left instead of all pairs.
	 */
	narrow?: 'title' | 'under' | 'corner' | 'menu' | 'beside' | 'pair' | 'actions' | 'hidden' | 'summary'
}

/** Width in pixels that leaves 160 for a name. */
const NAME_WIDTH = 184
/** Width in pixels that leaves 90 for text, which fits nearly every word. */
const TEXT_WIDTH = 114

export function minWidthOf<Row>({ minWidth, narrow }: Column<Row>): number {
	if (narrow === 'summary') return 0
	return minWidth ?? (narrow === 'title' ? NAME_WIDTH : TEXT_WIDTH)
}
