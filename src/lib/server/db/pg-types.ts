import { types } from 'pg'

const INT8 = 20
const DATE = 1082
const INT8_ARRAY = 1016

type Format = 'text' | 'binary'
const standard = types.getTypeParser as unknown as (oid: number, format?: Format) => (text: string) => unknown

/** Parses bigint columns as numbers: ids and paise stay below 2^53. Throws for a larger value. */
function readBigint(text: string): number {
	const value = Number(text)
	if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
	return value
}

function readBigints(text: string): (number | null)[] {
	const values = standard(INT8_ARRAY, 'text')(text) as (string | null)[]
	return values.map((value) => (value === null ? null : readBigint(value)))
}

/** Returns the parser of a PostgreSQL type; differs from pg for bigint and date. */
export function getTypeParser(oid: number, format?: Format): (text: string) => unknown {
	if (format === 'binary') return standard(oid, format)
	if (oid === INT8) return readBigint
	if (oid === INT8_ARRAY) return readBigints
	// Midnight UTC, independent of the machine's time zone.
	if (oid === DATE) return (text) => new Date(text)
	return standard(oid, format)
}
