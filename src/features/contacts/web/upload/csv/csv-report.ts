import { typedNumberCell } from '#features/contacts/people-file.ts'
import { CSV_START, safeCsvLine } from '#lib/files/csv.ts'
import { sendableOf, type ContactsFile } from './contacts-file.ts'
import { hasSecondNumber } from './file-summary.ts'

export interface Rejected {
	/** Index of the row among the rows that were sent. */
	index: number
	reason: string
}

/** Returns a CSV of every row that was rejected or not taken completely, with the reason, in the order of the file. */
export function errorReport(file: ContactsFile, rejected: readonly Rejected[], withUnlikely = true): string {
	const sendable = sendableOf(file, withUnlikely)
	const refused = rejected.flatMap(({ index, reason }) => {
		const row = sendable[index]
		return row ? [{ ...row, reason }] : []
	})
	const sent = new Set(sendable)
	const left = file.rows.filter((row) => !sent.has(row) || hasSecondNumber(row))
	const rows = [...left, ...refused].toSorted((a, b) => a.row - b.row)
	const lines = rows.map(({ row, firstName, lastName, number, reason }) =>
		safeCsvLine([firstName, lastName, typedNumberCell(number), row, reason]),
	)
	return CSV_START + safeCsvLine(['firstName', 'lastName', 'number', 'row', 'reason']) + lines.join('')
}
