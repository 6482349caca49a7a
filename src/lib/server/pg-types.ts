import { types } from 'pg'

const INT8_ARRAY: number = 1016
const OID: Record<string, number> = { int8: 20, date: 1082, int8Array: INT8_ARRAY }

/** bigint columns come as numbers: ids and paise stay below 2^53, and one that did not is an error here. */
function readBigint(text: string): number {
	const value = Number(text)
	if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
	return value
}

// pg knows arrays of bigint, its types do not name them.
// oxlint-disable-next-line typescript/no-unsafe-enum-assignment
const readTextArray = types.getTypeParser(INT8_ARRAY, 'text') as (text: string) => (string | null)[]

/** How values that PostgreSQL returns are read, where pg itself would do it differently. */
export const getTypeParser: typeof types.getTypeParser = (oid, format) => {
	if (format === 'binary') return types.getTypeParser(oid, format) as never
	if (oid === OID.int8) return readBigint
	if (oid === OID.int8Array) {
		return (text: string) => readTextArray(text).map((value) => (value === null ? null : readBigint(value)))
	}
	// Midnight UTC, whatever the time zone of this machine.
	if (oid === OID.date) return (text: string) => new Date(text)
	return types.getTypeParser(oid, format) as never
}
