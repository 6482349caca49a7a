import { readNumbers } from '#lib/phone/phone-reader.ts'
import type { Columns } from './columns.ts'
import { findNumberColumns } from './number-columns.ts'

type Field = 'firstName' | 'lastName'

/** The word for name in the languages of India, at the end of a header such as ग्राहक का नाम. */
const INDIAN_NAME = /(naam|नाम|नाव|નામ|নাম|ਨਾਮ|ਨਾਂ|பெயர்|పేరు|ಹೆಸರು|പേര്|ନାମ|نام)$/
/**
 * Header patterns in order of preference: the sample file's own names first, then names that other programs use, then
 * titles of persons, whose cells must hold letters. Headers are compared by letters and digits only.
 */
const names: Record<Field, RegExp[]> = {
	firstName: [
		/^firstname$/,
		/^(first|given|fore|f)name$|^(first|given)$/,
		/^((full|contact|cust|customer|client|display)s?)?name$|^(नाम|नाव)$/,
		/^(party|student|member|patient|guest|buyer|owner|person|parent|guardian|lead|employee)s?(full)?name$|^nameof/,
		INDIAN_NAME,
	],
	lastName: [/^lastname$/, /^(last|family|sur|second|l)name$|^(last|surname|उपनाम|आडनाव|અટક)$/],
}
const TITLE =
	/^(cust|customer|client|contact|party|member|student|patient|guest|buyer|owner|person|contactperson|ग्राहक)s?$|^(shop|store|firm|company|business)name$/

/** Headers that match a name pattern although their cells hold no names, such as "Phonetic First Name". */
const NO_FIELD = /(label|type)$|^(phonetic|telegram)/

/** Finds the columns by their headers and sample rows; in a file without a header, by the content of its first row. */
export function matchColumns(first: readonly string[], samples: readonly string[][] = []): Columns {
	const header = first.map((cell) =>
		cell
			.normalize('NFKC')
			.toLowerCase()
			.replace(/[^\p{L}\p{M}\p{N}]/gu, ''),
	)
	// A first row with a phone number is a person and not a header, even if a name looks like one ("Mobile Care").
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
	const findTitle = () => {
		const at = header.findIndex((name, index) => !taken.has(index) && TITLE.test(name) && holdsLetters(samples, index))
		return at < 0 ? null : at
	}
	const lastName = find('lastName')
	return { number, ...others, lastName, firstName: find('firstName') ?? findTitle(), hasHeader: true }
}

/**
 * Returns true for a complete phone number, such as 98765 43210. The digit rules exclude dates (no five digits in a
 * row), amounts and PIN codes (fewer than eight digits).
 */
function isNumber(cell: string): boolean {
	return /\d{5}/.test(cell) && cell.replace(/\D/g, '').length >= 8 && readNumbers(cell) !== null
}

/** Returns true when most filled cells of a column hold letters and no digits, as names do and ids do not. */
function holdsLetters(samples: readonly string[][], at: number): boolean {
	const cells = samples.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '')
	return cells.filter((cell) => /\p{L}/u.test(cell) && !/\p{Nd}/u.test(cell)).length * 2 > cells.length
}

function guessColumns(row: readonly string[]): Columns {
	const number = row.findIndex(isNumber)
	const [firstName = null, lastName = null] = [...row.keys()].filter(
		(at) => at !== number && /\p{L}/u.test(row[at] ?? ''),
	)
	return { firstName, lastName, number, hasHeader: false }
}

/** Returns the number of columns of a header, without empty cells at its end. */
export function widthOf(header: readonly string[]): number {
	return header.findLastIndex((cell) => cell.trim() !== '') + 1
}

/**
 * Returns the error for a row with a filled cell beyond the header's `width`; null when the row fits or the file has no
 * header.
 */
export function tooWide(cells: readonly string[], width: number | null): string | null {
	if (width === null || !cells.slice(width).some((extra) => extra.trim() !== '')) return null
	return `The row has ${cells.length} columns, the header ${width}: put quotes around a text with a comma`
}
