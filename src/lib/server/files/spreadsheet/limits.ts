import type { AppError, Refused } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'

/** Limits of a workbook; one that exceeds them is refused. */
export interface SpreadsheetLimits {
	/** Number of rows that are not empty. */
	rows: number
	/**
	 * Characters over all cells, plus one per cell. Shared texts count each time: one text may be used by a million cells.
	 */
	characters: number
	/** Unpacked bytes over all parts that are read, since a small file can unpack to any size. */
	unpackedBytes: number
}

export const DEFAULT_LIMITS: SpreadsheetLimits = {
	rows: 200_000,
	characters: 30_000_000,
	unpackedBytes: 300 * 1024 * 1024,
}

/** Excel's limits. */
export const MAX_SHEET_ROWS = 1_048_576
const MAX_CELL_CHARACTERS = 32_767
export const MAX_COLUMNS = 1000
/** Characters per row. Quoted as CSV, such a row stays below the limit of common CSV readers. */
export const MAX_ROW_CHARACTERS = 400_000
export const MAX_PARTS = 10_000
export const MAX_DEPTH = 100
/** XML elements over all parts that are read; a cell has two or three. */
export const MAX_ELEMENTS = 12_000_000

/** Options that say which cells are read, and how. */
export interface Reading {
	/** Includes hidden rows and columns, which are empty otherwise. */
	withHidden?: boolean | undefined
	/** Returns numbers with all their digits instead of as the cell's format shows them. */
	rawNumbers?: boolean | undefined
	/** Name of the sheet to read first; by default the sheets are read in their order. */
	sheet?: string | undefined
}

/** Number of rows and columns with content that a sheet hides, by hand or by a filter. */
export interface Hidden {
	rows: number
	columns: number
}

/** Result of the process that reads a workbook. */
export type Outcome = { hidden: Hidden } | { refusal: Refused }

/**
 * Returns a function that counts a sheet's rows and characters, and throws a refusal at the first row above a limit.
 */
export function createRowCounter({ rows, characters }: SpreadsheetLimits): (cells: readonly string[]) => void {
	let [rowsLeft, left] = [rows, characters]
	return (cells) => {
		if (--rowsLeft < 0) throw problem('workbook_too_many_rows', { most: rows })
		let length = cells.length
		for (const cell of cells) {
			if (cell.length > MAX_CELL_CHARACTERS) throw cellTooLong()
			length += cell.length
		}
		if (length > MAX_ROW_CHARACTERS) throw problem('workbook_part_too_long', { part: 'row', most: MAX_ROW_CHARACTERS })
		left -= length
		if (left < 0) throw problem('workbook_too_many_characters', { most: characters })
	}
}

export function cellTooLong(): AppError {
	return problem('workbook_part_too_long', { part: 'cell', most: MAX_CELL_CHARACTERS })
}
