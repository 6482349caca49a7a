import { tooWide, type Columns } from '#features/contacts/csv-columns.ts'
import { cleanName, nameError, numberError, NAME_AND_NUMBER_MISSING, repairNumber } from '#features/contacts/rules.ts'
import { withoutFormulaMark } from '#lib/csv.ts'
import { doubtIn } from '#lib/phone-plan.ts'
import { canonicalNumber } from '#lib/phone.ts'

/** A row as it will be sent. `row` is its place in the file, counted from 1 as spreadsheets do. */
export interface SendRow {
	row: number
	firstName: string
	lastName: string
	number: string
}

export type RowState = 'valid' | 'unlikely' | 'duplicate' | 'dropped'
export interface ClassifiedRow extends SendRow {
	state: RowState
	/** Why it is not simply valid. */
	reason: string | null
}

export interface Sorted {
	/** What is sent, in the order of the file: the valid rows, and the unlikely ones, which the server decides on. */
	sendable: SendRow[]
	/** What is not sent, each with its reason. */
	left: ClassifiedRow[]
	counts: Record<RowState, number>
	/** The first rows, whatever became of them. */
	preview: ClassifiedRow[]
}

const PREVIEW_ROWS = 10

/** Takes the rows of a file one by one. `width`: how many columns the header has; null in a file without one. */
export function createSorter(columns: Columns, width: number | null) {
	const sorted: Sorted = {
		sendable: [],
		left: [],
		counts: { valid: 0, unlikely: 0, duplicate: 0, dropped: 0 },
		preview: [],
	}
	const firstRows = new Map<string, number>()

	const classify = (cells: readonly string[], row: number): ClassifiedRow => {
		const cell = (at: number | null) => (at === null ? '' : (cells[at] ?? ''))
		const made = {
			row,
			firstName: cleanName(withoutFormulaMark(cell(columns.firstName))),
			lastName: cleanName(withoutFormulaMark(cell(columns.lastName))),
			number: repairNumber(cell(columns.number)),
		}
		const extra = tooWide(cells, width)
		if (extra !== null) return { ...made, state: 'dropped', reason: extra }
		if (!made.firstName || !made.number) return { ...made, state: 'dropped', reason: NAME_AND_NUMBER_MISSING }
		const key = canonicalNumber(made.number) ?? made.number
		const first = firstRows.get(key)
		if (first !== undefined) return { ...made, state: 'duplicate', reason: `The same number as in row ${first}` }
		firstRows.set(key, row)
		// A doubtful one is sent all the same, as the server decides.
		const error = nameError(made) ?? numberError(made.number) ?? doubtIn(key)
		return { ...made, state: error ? 'unlikely' : 'valid', reason: error }
	}

	return {
		sorted,
		add(cells: readonly string[], row: number): void {
			if (cells.every((cell) => cell.trim() === '')) return
			const classified = classify(cells, row)
			sorted.counts[classified.state]++
			if (sorted.preview.length < PREVIEW_ROWS) sorted.preview.push(classified)
			const { state, reason, ...send } = classified
			if (state === 'valid' || state === 'unlikely') sorted.sendable.push(send)
			else sorted.left.push({ ...send, state, reason })
		},
	}
}
