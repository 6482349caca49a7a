import { NAME_AND_NUMBER_MISSING } from '#features/contacts/rules.ts'
import { formatCount, plural } from '#lib/numbers.ts'
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
	const counts: Tiles['counts'] = { new: 0, update: 0, unlikely: 0, refused: 0 }
	const first = new Map<RowState, ContactRow[]>(STATES.map((state) => [state, []]))
	for (const row of rows) {
		counts[tileOf(row.state)]++
		const some = first.get(row.state)
		if (some && some.length < MAX_SHOWN) some.push(row)
	}
	const shown = (tile: Tile) => STATES.flatMap((state) => (tileOf(state) === tile ? (first.get(state) ?? []) : []))
	return {
		counts,
		shown: {
			new: shown('new'),
			update: shown('update'),
			unlikely: shown('unlikely'),
			refused: shown('refused').slice(0, MAX_SHOWN),
		},
	}
}

/** States of rows in the order in which the screen shows problems: wrong numbers before duplicates. */
const STATES: readonly RowState[] = ['unlikely', 'refused', 'dropped', 'duplicate', 'new', 'update']

/** Cells with two numbers, of which the first is used. */
export interface SecondNumbers {
	secondCount: number
	/** The first such cells, each with its row and the numbers that are left out. */
	secondNumbers: string[]
}

/** Returns true when a row is sent without a second number of its cell. */
export function hasSecondNumber({ state, reason }: ContactRow): boolean {
	return (state === 'new' || state === 'update') && reason !== null
}

const MAX_LISTED = 5

export function secondNumbersOf({ rows }: ContactsFile): SecondNumbers {
	const found = rows.filter(hasSecondNumber)
	return {
		secondCount: found.length,
		secondNumbers: found
			.slice(0, MAX_LISTED)
			.map(({ row, reason }) => `Row ${row}: ${reason?.replace(/^Left out: /, '')}`),
	}
}

/** Kinds of rows that are not added, each with its name for a count of rows. */
const LEFT_WORDS = {
	wrong: (count: number) => plural(count, 'wrong number'),
	long: (count: number) => `${formatCount(count)} with a name that is too long`,
	numberless: (count: number) => `${formatCount(count)} without a number`,
	nameless: (count: number) => `${formatCount(count)} without a name`,
	empty: (count: number) => `${formatCount(count)} without a name and a number`,
	wide: (count: number) => `${formatCount(count)} with more columns than the header`,
	duplicate: (count: number) => plural(count, 'duplicate'),
}
export type LeftKind = keyof typeof LEFT_WORDS
const LEFT_KINDS = Object.keys(LEFT_WORDS) as LeftKind[]

/** Rows of one kind that are not added. `isSent` is true for rows that the server refuses. */
export interface LeftRows {
	kind: LeftKind
	count: number
	isSent: boolean
}

/** Returns a number of rows in words, such as "20 duplicates" or "5 without a number". */
export function leftWords({ kind, count }: Pick<LeftRows, 'kind' | 'count'>): string {
	return LEFT_WORDS[kind](count)
}

/** Rows that are not added, by kind, and rows that could be named by their number. */
export interface LeftOut {
	left: LeftRows[]
	/** Number of rows with a number and no name. With `namesByNumber`, these rows use their number as the name. */
	unnamedCount: number
}

export function leftOutOf({ rows }: ContactsFile): LeftOut {
	const counts = new Map<LeftKind, number>()
	let unnamedCount = 0
	for (const row of rows) {
		if (isUnnamed(row)) unnamedCount++
		const kind = leftKind(row)
		if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1)
	}
	const left = LEFT_KINDS.flatMap((kind) => {
		const count = counts.get(kind)
		return count === undefined ? [] : { kind, count, isSent: kind === 'wrong' || kind === 'long' }
	})
	return { left, unnamedCount }
}

function isUnnamed({ state, reason, firstName, number, canonical }: ContactRow): boolean {
	if (canonical !== null) return firstName === `+${canonical}`
	return state === 'dropped' && reason === NAME_AND_NUMBER_MISSING && firstName === '' && number.trim() !== ''
}

function leftKind({ state, reason, firstName, number }: ContactRow): LeftKind | null {
	if (state === 'duplicate') return 'duplicate'
	if (state === 'refused') return reason?.endsWith('name is too long') ? 'long' : 'wrong'
	if (state !== 'dropped') return null
	if (reason !== NAME_AND_NUMBER_MISSING) return 'wide'
	if (number.trim() === '') return firstName === '' ? 'empty' : 'numberless'
	return 'nameless'
}

function tileOf(state: RowState): Tile {
	return state === 'dropped' || state === 'duplicate' ? 'refused' : state
}

/** Returns at most `MAX_SHOWN` rows: of a tile, or without a tile those with problems first. */
export function rowsOf({ shown }: Tiles, tile: Tile | null): ContactRow[] {
	if (tile) return shown[tile]
	const valid = [...shown.new, ...shown.update].toSorted((a, b) => a.row - b.row)
	return [...shown.unlikely, ...shown.refused, ...valid].slice(0, MAX_SHOWN)
}
