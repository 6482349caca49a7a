import { NAME_AND_NUMBER_MISSING } from '#features/contacts/rules.ts'
import type { ContactRow, ContactsFile, RowState } from './contacts-file.ts'

export const TILES = ['new', 'update', 'unlikely', 'refused'] as const
/** Group of rows that the screen shows under one tile. */
export type Tile = (typeof TILES)[number]

/** Maximum rows of a tile that can be shown and corrected. */
export const MAX_SHOWN = 200

export interface Tiles {
	counts: Record<Tile, number>
	/** The first `MAX_SHOWN` rows of each tile. */
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

/** Cells with two numbers, of which the first is used. */
export interface Seconds {
	secondCount: number
	/** The first such cells, each with its row and the numbers that are left out. */
	seconds: string[]
}

/** Returns true when a row is sent without a second number of its cell. */
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

/** Rows that are left out by reason, and rows that could be named by their number. */
export interface LeftOut {
	/** Reasons with the number of rows; `isSent` for rows that the server refuses. */
	reasons: { reason: string; count: number; isSent: boolean }[]
	/** Number of rows with a number and no name. With `namesByNumber`, these rows use their number as the name. */
	unnamedCount: number
}

export function leftOutOf({ rows }: ContactsFile): LeftOut {
	const counts = new Map<string, number>()
	let unnamedCount = 0
	for (const row of rows) {
		if (isUnnamed(row)) unnamedCount++
		const reason = leftOutReason(row)
		if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
	}
	const reasons = Array.from(counts, ([reason, count]) => ({ reason, count, isSent: reason === UNUSABLE }))
	return { reasons, unnamedCount }
}

function isUnnamed({ state, reason, firstName, number, canonical }: ContactRow): boolean {
	if (canonical !== null) return firstName === `+${canonical}`
	return state === 'dropped' && reason === NAME_AND_NUMBER_MISSING && firstName === '' && number.trim() !== ''
}

const UNUSABLE = 'with a number or name that cannot be used'

function leftOutReason({ state, reason, firstName, number }: ContactRow): string | null {
	if (state === 'duplicate') return 'with a number that an earlier row has'
	if (state === 'refused') return UNUSABLE
	if (state !== 'dropped') return null
	if (reason !== NAME_AND_NUMBER_MISSING) return 'with more columns than the header'
	if (number.trim() === '') return firstName === '' ? 'without a name and a number' : 'without a number'
	return 'without a name'
}

function tileOf(state: RowState): Tile {
	return state === 'dropped' || state === 'duplicate' ? 'refused' : state
}

/**
 * Returns at most `MAX_SHOWN` rows: of a tile, or without a tile unlikely numbers, then refused rows, then valid ones.
 */
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
