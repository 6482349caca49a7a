import type { ContactRow, ContactsFile, RowState } from './contacts-file.ts'

export const TILES = ['new', 'update', 'unlikely', 'refused'] as const
/** What the rows are told apart by on screen. */
export type Tile = (typeof TILES)[number]

/** As many rows of each can be looked through and corrected. */
export const MAX_SHOWN = 200

export interface Tiles {
	counts: Record<Tile, number>
	/** The first rows of each. */
	shown: Record<Tile, ContactRow[]>
}

export function tilesOf({ rows }: ContactsFile): Tiles {
	const tiles: Tiles = {
		counts: { new: 0, update: 0, unlikely: 0, refused: 0 },
		shown: { new: [], update: [], unlikely: [], refused: [] },
	}
	for (const row of rows) {
		const tile = tileOf(row.state)
		tiles.counts[tile]++
		if (tiles.shown[tile].length < MAX_SHOWN) tiles.shown[tile].push(row)
	}
	return tiles
}

function tileOf(state: RowState): Tile {
	return state === 'dropped' || state === 'duplicate' ? 'refused' : state
}

/** What a tile shows; without one, the rows that somebody should look at before those that are fine. */
export function rowsOf({ shown }: Tiles, tile: Tile | null): ContactRow[] {
	if (tile) return shown[tile]
	const problems = inOrder(...shown.refused, ...shown.unlikely)
	return [...problems, ...inOrder(...shown.new, ...shown.update)].slice(0, MAX_SHOWN)
}

function inOrder(...rows: ContactRow[]): ContactRow[] {
	return rows.toSorted((a, b) => a.row - b.row)
}
