import Papa from 'papaparse'
import { encodingOf, FileError, textOf, type FileBytes } from './csv-text.ts'
import { formatCount } from './numbers.ts'

/** A table in a file. */
export interface Table {
	/** Its rows in their order, some at a time, empty ones included; each is as wide as it stands in the file. */
	rows(): AsyncGenerator<string[][]>
}

/** A quote that is never closed makes one cell of all that follows. */
const MAX_ROW_LENGTH = 1_000_000
/** As much of the beginning as tells what separates the columns. */
const GUESSED_LENGTH = 65_536

/**
 * Opens a CSV file in whatever encoding; without `delimiter`, its first rows tell what separates the columns. It is read
 * piece by piece, each time anew, so that it takes the same memory whatever its size. What it throws is a FileError.
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
	/** A row that goes on is parsed again when it has doubled, so that a long one takes no longer than many short ones. */
	let enough = known === undefined ? GUESSED_LENGTH : 0

	/** The rows that end in what has come so far. */
	const take = (text: string, isLast: boolean): string[][] => {
		rest += text
		if (!isLast && rest.length < enough) return []
		parser ??= firstParser()
		const { data, cursor, isUnclosed } = parser(rest, !isLast)
		row += data.length
		rest = isLast ? '' : rest.slice(cursor)
		enough = rest.length * 2
		if (isUnclosed || rest.length > MAX_ROW_LENGTH) throw new FileError(tooLong(isLast ? row : row + 1, isUnclosed))
		return data
	}

	const firstParser = () => {
		// Excel's own way to name it. The line stays, empty, as it is a row of the file too.
		const named = /^sep=(.)\n/.exec(rest)?.[1]
		if (named === undefined) return parserFor(guessDelimiter(rest.slice(0, GUESSED_LENGTH)))
		rest = rest.slice('sep=;'.length)
		return parserFor(named)
	}

	const tooLong = (at: number, isUnclosed: boolean) =>
		isUnclosed || rest.includes('"')
			? `A quote that opens in row ${at} is never closed`
			: `Row ${at} has more than ${formatCount(MAX_ROW_LENGTH)} characters`

	return { take }
}

/** Papaparse would count an empty line as one cell, which hides that all others have two. */
function guessDelimiter(text: string): string {
	const { meta } = Papa.parse(text, { newline: '\n', preview: 20, skipEmptyLines: 'greedy' })
	return meta.delimiter || ','
}

interface Parsed {
	data: string[][]
	/** Where the last row begins that may go on. */
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
