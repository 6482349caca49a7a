import { types } from 'pg'

const OID: Record<'int8' | 'date' | 'int8Array', number> = { int8: 20, date: 1082, int8Array: 1016 }

/** bigint columns come as numbers: ids and paise stay below 2^53, and one that did not is an error here. */
function readBigint(text: string): number {
	const value = Number(text)
	if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
	return value
}

const readTextArray = types.getTypeParser(OID.int8Array as never, 'text') as (text: string) => (string | null)[]

/** How values that PostgreSQL returns are read, where pg itself would do it differently. */
export const getTypeParser: typeof types.getTypeParser = (oid, format) => {
	if (format === 'binary') return types.getTypeParser(oid, format) as never
	if (Number(oid) === OID.int8) return readBigint
	if (Number(oid) === OID.int8Array) {
		return (text: string) => readTextArray(text).map((value) => (value === null ? null : readBigint(value)))
	}
	// Midnight UTC, whatever the time zone of this machine.
	if (Number(oid) === OID.date) return (text: string) => new Date(text)
	return types.getTypeParser(oid, format) as never
}
