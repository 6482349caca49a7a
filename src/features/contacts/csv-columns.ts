import { readNumbers } from '#lib/phone-reader.ts'
import type { Columns } from './columns.ts'
import { findNumberColumns } from './number-columns.ts'

type Field = 'firstName' | 'lastName'

// The sample's own names come first, then what other programs call them. Only letters and digits are compared.
const names: Record<Field, RegExp[]> = {
	firstName: [
		/^firstname$/,
		/^(first|given|fore|f)name$|^(first|given)$/,
		/^(full|contact|customer|client|display)?name$|^नाम$/,
		/^(party|student|member|patient|guest)name$|नाम$/,
	],
	lastName: [/^lastname$/, /^(last|family|sur|second|l)name$|^(last|surname|उपनाम)$/],
}

/** What phone books have beside the names themselves: "Phonetic First Name". */
const NO_FIELD = /(label|type)$|^(phonetic|telegram)/

/** Finds the columns by their headers and the rows below, or in a file without headers by the content of its first row. */
export function matchColumns(first: readonly string[], samples: readonly string[][] = []): Columns {
	const header = first.map((cell) =>
		cell
			.normalize('NFKC')
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
	)
	// A person may be called Mobile Care.
	if (first.some(isNumber)) return guessColumns(first)
	const { number, ...others } = findNumberColumns(header, samples)
	const taken = new Set([number])
	const find = (field: Field) => {
		for (const pattern of names[field]) {
			const at = header.findIndex((name, index) => !taken.has(index) && pattern.test(name) && !NO_FIELD.test(name))
			if (at < 0) continue
			taken.add(at)
			return at
		}
		return null
	}
	return { number, ...others, lastName: find('lastName'), firstName: find('firstName'), hasHeader: true }
}

/** Whole ones alone, such as 98765 43210: a date has no five digits in a row, and an amount or a PIN code no eight. */
function isNumber(cell: string): boolean {
	return /\d{5}/.test(cell) && cell.replace(/\D/g, '').length >= 8 && readNumbers(cell) !== null
}

function guessColumns(row: readonly string[]): Columns {
	const number = row.findIndex(isNumber)
	const [firstName = null, lastName = null] = [...row.keys()].filter(
		(at) => at !== number && /\p{L}/u.test(row[at] ?? ''),
	)
	return { firstName, lastName, number, hasHeader: false }
}

/** How many columns a header has: up to the last one that has a name, as it may end in empty cells. */
export function widthOf(header: readonly string[]): number {
	return header.findLastIndex((cell) => cell.trim() !== '') + 1
}

/** What is wrong with a row that has more in it than the header has columns, or null. */
export function tooWide(cells: readonly string[], width: number | null): string | null {
	if (width === null || !cells.slice(width).some((extra) => extra.trim() !== '')) return null
	return `The row has ${cells.length} columns, the header ${width}: put quotes around a text with a comma`
}
