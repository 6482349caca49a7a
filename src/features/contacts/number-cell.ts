import { numberCell } from '#lib/csv.ts'
import { readNumber } from '#lib/phone-reader.ts'

/** Numbers short enough for spreadsheets to show all digits. */
const SHORT = /^[1-9]\d{0,10}$/

/**
 * Returns a typed number as a cell that spreadsheets do not change. A text that is not a number is returned as typed.
 */
export function typedNumberCell(typed: string): string {
	if (SHORT.test(typed)) return typed
	const number = readNumber(typed)
	return number === null ? typed : numberCell(number)
}
