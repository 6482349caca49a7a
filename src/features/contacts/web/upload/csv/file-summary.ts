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

/** Cells with two numbers, of which the first is taken. */
export interface Seconds {
	secondCount: number
	/** The first of them, each with its row and the numbers that are left out. */
	seconds: string[]
}

/** Returns whether a row is sent without a second number of its cell. */
export function hasSecondNumber({ state, reason }: ContactRow): boolean {
	return (state === 'new' || state === 'update') && reason !== null
}

const MAX_SECONDS = 5

export function secondsOf({ rows }: ContactsFile): Seconds {
	const found = rows.filter(hasSecondNumber)
	return {
		secondCount: found.length,
		seconds: found.slice(0, MAX_SECONDS).map(({ row, reason }) => `Row ${row}: ${reason?.replace(/^Left out: /, '')}`),
	}
}

function tileOf(state: RowState): Tile {
	return state === 'dropped' || state === 'duplicate' ? 'refused' : state
}

/** Returns the rows of a tile; without one, unlikely and refused rows before those that are fine. */
export function rowsOf({ shown }: Tiles, tile: Tile | null): ContactRow[] {
	if (tile) return shown[tile]
	return [...inOrder(...shown.unlikely), ...inOrder(...shown.refused), ...inOrder(...shown.new, ...shown.update)].slice(
		0,
		MAX_SHOWN,
	)
}

function inOrder(...rows: ContactRow[]): ContactRow[] {
	return rows.toSorted((a, b) => a.row - b.row)
}
