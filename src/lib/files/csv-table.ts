import Papa from 'papaparse'
import type { AppError } from '#lib/app-error.ts'
import { problem } from '#lib/problems.ts'
import { encodingOf, textOf, type FileBytes } from './csv-text.ts'

/** The table in a file. */
export interface Table {
	/** Yields the rows in batches, empty ones included; each row has the width that it has in the file. */
	rows(): AsyncGenerator<string[][]>
}

/** Characters per row. Without this limit an unclosed quote would turn the rest of the file into one cell. */
const MAX_ROW_LENGTH = 1_000_000
/** Characters at the start of the file from which the delimiter is guessed. */
const GUESSED_LENGTH = 65_536

/**
 * Opens a CSV file of any encoding; without `delimiter`, guesses it from the first rows. Each call of `rows` streams
 * the file again, so that memory does not depend on its size. Throws a 400 for a file that is no CSV, or has a row that is too long.
 */
export async function openCsv(bytes: FileBytes, delimiter?: string): Promise<Table> {
	const encoding = await encodingOf(bytes)
	return { rows: () => rowsOf(textOf(bytes, encoding), delimiter) }
}

async function* rowsOf(texts: AsyncIterable<string>, delimiter: string | undefined): AsyncGenerator<string[][]> {
	const splitter = createSplitter(delimiter)
	for await (const text of texts) {
		const rows = splitter.take(text, false)
		if (rows.length > 0) yield rows
	}
	yield splitter.take('', true)
}

function createSplitter(known: string | undefined) {
	let parser = known === undefined ? undefined : parserFor(known)
	let rest = ''
	let row = 0
	/**
	 * An incomplete row is parsed again when its length has doubled, so that a long row costs no more than many short
	 * ones.
	 */
	let enough = known === undefined ? GUESSED_LENGTH : 0

	/**
	 * Returns the rows that `text` completes; with `isLast`, also the rest. Throws a 400 for a row that is too long or
	 * whose quote is not closed.
	 */
	const take = (text: string, isLast: boolean): string[][] => {
		rest += text
		if (!isLast && rest.length < enough) return []
		parser ??= firstParser()
		const { data, cursor, isUnclosed } = parser(rest, !isLast)
		row += data.length
		rest = isLast ? '' : rest.slice(cursor)
		enough = rest.length * 2
		if (isUnclosed || rest.length > MAX_ROW_LENGTH) throw tooLong(isLast ? row : row + 1, isUnclosed)
		return data
	}

	const firstParser = () => {
		// Excel names its delimiter in this line. The line becomes an empty row, since it counts as a row of the file.
		const named = /^sep=(.)\n/.exec(rest)?.[1]
		if (named === undefined) return parserFor(guessDelimiter(rest.slice(0, GUESSED_LENGTH)))
		rest = rest.slice('sep=;'.length)
		return parserFor(named)
	}

	const tooLong = (at: number, isUnclosed: boolean): AppError =>
		isUnclosed || rest.includes('"')
			? problem('csv_quote_unclosed', { row: at })
			: problem('csv_row_too_long', { row: at, most: MAX_ROW_LENGTH })

	return { take }
}

/**
 * Returns the delimiter of the first rows, a comma when papaparse finds none. Empty lines are skipped: papaparse counts
 * each as a row of one cell, and would then find no delimiter.
 */
function guessDelimiter(text: string): string {
	const { meta } = Papa.parse(text, { newline: '\n', preview: 20, skipEmptyLines: 'greedy' })
	return meta.delimiter || ','
}

interface Parsed {
	data: string[][]
	/** Position at which the last, possibly incomplete row begins. */
	cursor: number
	isUnclosed: boolean
}

function parserFor(delimiter: string): (text: string, ignoreLastRow: boolean) => Parsed {
	return (text, ignoreLastRow) => {
		if (text === '') return { data: [], cursor: 0, isUnclosed: false }
		const parser = new Papa.Parser({ delimiter, newline: '\n' })
		const { data, errors, meta } = parser.parse(text, 0, ignoreLastRow) as Papa.ParseResult<string[]>
		const isUnclosed = !ignoreLastRow && errors.some(({ code }) => code === 'MissingQuotes')
		return { data, cursor: meta.cursor, isUnclosed }
	}
}
