import { formatCount } from '#lib/numbers.ts'

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

export const UNREADABLE = 'This is not an Excel file that can be read: save it as .xlsx or .csv and try again'
export const PROTECTED =
	'This is an old or protected Excel file: open it in Excel and save it as .xlsx without a password'
export const TOO_LARGE = 'This Excel file is too large when unpacked: save it as .csv instead'
export const EMPTY = 'This Excel file is empty'
export const NOTHING_SHOWN =
	'This Excel file shows no text, number or date. Hidden sheets, pictures, errors and formulas without a result are not read.'
export const TOO_WIDE = `This Excel file has more than ${formatCount(MAX_COLUMNS)} columns`

/** Number of rows and columns with content that a sheet hides, by hand or by a filter. */
export interface Hidden {
	rows: number
	columns: number
}

/** Result of the process that reads a workbook. */
export type Outcome = { hidden: Hidden } | { refusal: string }

/** Error with the reason, in words for the user, why a workbook is refused. */
export class Refusal extends Error {}

export const CELL_TOO_LONG = tooLong('cell', MAX_CELL_CHARACTERS)

/**
 * Returns a function that counts a sheet's rows and characters, and throws a refusal at the first row above a limit.
 */
export function createRowCounter({ rows, characters }: SpreadsheetLimits): (cells: readonly string[]) => void {
	let [rowsLeft, left] = [rows, characters]
	return (cells) => {
		if (--rowsLeft < 0)
			throw new Refusal(`An Excel file may have at most ${formatCount(rows)} rows: save it as .csv instead`)
		let length = cells.length
		for (const cell of cells) {
			if (cell.length > MAX_CELL_CHARACTERS) throw new Refusal(CELL_TOO_LONG)
			length += cell.length
		}
		if (length > MAX_ROW_CHARACTERS) throw new Refusal(tooLong('row', MAX_ROW_CHARACTERS))
		left -= length
		if (left < 0)
			throw new Refusal(
				`This Excel file has more than ${formatCount(characters)} characters: leave out columns or rows that are not needed`,
			)
	}
}

function tooLong(what: string, most: number): string {
	return `A ${what} of this Excel file has more than ${formatCount(most)} characters: shorten it and try again`
}
