import Papa from 'papaparse'
import { matchColumns, type Columns } from './csv-columns.ts'
import { CsvFault } from './csv-fault.ts'
import { createSorter, type Sorted } from './csv-sort.ts'

export interface Csv {
	/** What the columns are called, or their first row where nothing names them. */
	heading: string[]
	columns: Columns
	sorted: Sorted
}

const MOST_COLUMNS = 1000

/** Reads a whole file; without `columns`, finds them by their headings. */
export function readCsv(text: string, columns?: Columns): Csv {
	const { body, delimiter } = separatorOf(text)
	let csv: Csv | undefined
	let sorter: ReturnType<typeof createSorter> | undefined
	// The line that names the separator is a row of the file too.
	let row = body === text ? 0 : 1
	Papa.parse<string[]>(body, {
		delimiter,
		newline: '\n',
		step({ data: cells, errors }, parser) {
			row++
			const unclosed = errors.some(({ code }) => code === 'MissingQuotes')
			if (unclosed) {
				parser.abort()
				throw new CsvFault(`A quote that opens in row ${row} is never closed`)
			}
			if (!sorter && cells.every((cell) => cell.trim() === '')) return
			if (sorter) return sorter.add(cells, row)
			if (cells.length > MOST_COLUMNS) throw new CsvFault('This file has more than 1,000 columns')
			const used = columns ?? matchColumns(cells)
			sorter = createSorter(used, used.hasHeading ? widthOf(cells) : null)
			csv = { heading: cells.map((cell) => cell.trim().slice(0, 100)), columns: used, sorted: sorter.sorted }
			if (!used.hasHeading) sorter.add(cells, row)
		},
	})
	if (!csv) throw new CsvFault('No valid contacts found in CSV')
	return csv
}

/** Up to the last column that has a name: a heading may end in empty cells. */
function widthOf(heading: readonly string[]): number {
	return heading.findLastIndex((cell) => cell.trim() !== '') + 1
}

/** Excel may write the separator into the first line; otherwise the first lines tell it. */
function separatorOf(text: string): { body: string; delimiter: string } {
	const named = /^sep=(.)\n/.exec(text)
	if (named) return { body: text.slice(named[0].length), delimiter: named[1] ?? ',' }
	return { body: text, delimiter: '' }
}
