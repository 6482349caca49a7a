import { readNumber } from '#lib/phone-reader.ts'
import { bareNumber, splitNumbers } from '#lib/phone-text.ts'
import { NUMBER_INVALID, NUMBER_REQUIRED } from './rules.ts'

/** The specified form of a new chat's number. */
const SPECIFIED = /^\+?(\d{1,3})?(\d{10}|\d{12})$/

/**
 * Reads the number of a new chat: its canonical form, or the specified error. Ten digits are an Indian number, unless a plus
 * precedes a number of another country. In the browser, import this file lazily, as the reader of numbers.
 */
export function readNewNumber(typed: string): { number: string } | { error: string } {
	const [part = '', ...others] = splitNumbers(typed)
	const bare = bareNumber(part)
	if (bare === '') return { error: NUMBER_REQUIRED }
	if (others.length > 0 || !SPECIFIED.test(bare)) return { error: NUMBER_INVALID }
	const read = bare.length === 10 ? null : readNumber(typed)
	const number = read ?? (/^\+?[1-9]\d{9}$/.test(bare) ? readNumber(`+91${bare.slice(-10)}`) : null)
	return number === null ? { error: NUMBER_INVALID } : { number }
}
