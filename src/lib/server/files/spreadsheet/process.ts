// Entry point of the process that reads a workbook: writes the first sheet that is not empty as CSV, and an Outcome to
// stdout.
import { AppError } from '#lib/app-error.ts'
import type { Outcome, Reading, SpreadsheetLimits } from './limits.ts'
import { sheetToCsv } from './sheet-to-csv.ts'

const [path = '', csvPath = '', given = ''] = process.argv.slice(2)

function write(outcome: Outcome): void {
	process.stdout.write(JSON.stringify(outcome))
}

try {
	write({ hidden: await sheetToCsv(path, csvPath, JSON.parse(given) as SpreadsheetLimits & Reading) })
} catch (error) {
	if (!(error instanceof AppError)) throw error
	write({ refusal: error })
}
