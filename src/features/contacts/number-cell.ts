import { numberCell } from '#lib/csv.ts'
import { readNumber } from '#lib/phone-reader.ts'

/** Digits that spreadsheets show as they are. */
const SHORT = /^[1-9]\d{0,10}$/

/** Returns a typed number as a cell that spreadsheets leave alone; one that cannot be read stays as typed, to be corrected. */
export function typedNumberCell(typed: string): string {
	if (SHORT.test(typed)) return typed
	const number = readNumber(typed)
	return number === null ? typed : numberCell(number)
}
