import Papa from 'papaparse'
import { matchColumns, widthOf, type Columns } from '#features/contacts/csv-columns.ts'
import { GUESSING, separatorOf } from '#lib/csv-text.ts'
import { formatCount } from '#lib/numbers.ts'
import { CsvError } from './csv-error.ts'
import { createSorter, type Sorted } from './csv-sort.ts'

export interface Csv {
	/** What the columns are called, or their first row where nothing names them. */
	header: string[]
	columns: Columns
	sorted: Sorted
}

const MAX_COLUMNS = 1000
/** What a browser keeps in memory without running out of it. */
const MAX_ROWS = 2_000_000

/** Reads a whole file; without `columns`, finds them by their headers. */
export function readCsv(text: string, columns?: Columns): Csv {
	const { body, delimiter } = separatorOf(text)
	let csv: Csv | undefined
	let sorter: ReturnType<typeof createSorter> | undefined
	// The line that names the separator is a row of the file too.
	let row = body === text ? 0 : 1
	Papa.parse<string[]>(body, {
		delimiter: delimiter || Papa.parse(body, GUESSING).meta.delimiter,
		newline: '\n',
		step({ data: cells, errors }, parser) {
			row++
			if (row > MAX_ROWS) {
				parser.abort()
				throw new CsvError(`This file has more than ${formatCount(MAX_ROWS)} rows: split it into several`)
			}
			const unclosed = errors.some(({ code }) => code === 'MissingQuotes')
			if (unclosed) {
				parser.abort()
				throw new CsvError(`A quote that opens in row ${row} is never closed`)
			}
			if (!sorter && cells.every((cell) => cell.trim() === '')) return
			if (sorter) return sorter.add(cells, row)
			if (cells.length > MAX_COLUMNS) throw new CsvError('This file has more than 1,000 columns')
			const used = columns ?? matchColumns(cells)
			sorter = createSorter(used, used.hasHeader ? widthOf(cells) : null)
			csv = { header: cells.map((cell) => cell.trim().slice(0, 100)), columns: used, sorted: sorter.sorted }
			if (!used.hasHeader) sorter.add(cells, row)
		},
	})
	if (!csv) throw new CsvError('No valid contacts found in CSV')
	return csv
}
